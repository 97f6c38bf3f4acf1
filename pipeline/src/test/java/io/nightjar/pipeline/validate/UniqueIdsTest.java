package io.nightjar.pipeline.validate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.MalformedHistoryException;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

class UniqueIdsTest {

    private static final int ROWS_PER_SLICE = 1000;

    @Test
    void increasingIdsAreUniqueAfterOnePass() {
        assertThat(passes(new UniqueIds(), 10_000, row -> row)).isEqualTo(1);
    }

    @Test
    void shuffledDenseIdsAreUniqueAfterOnePass() {
        assertThat(passes(new UniqueIds(), 10_000, row -> row * 7919 % 10_007)).isEqualTo(1);
    }

    @Test
    void negativeAndExtremeIdsAreIds() {
        long[] ids = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE + 1, 1};

        assertThat(passes(new UniqueIds(), ids.length, row -> ids[(int) row])).isEqualTo(1);
    }

    @Test
    void sparseShuffledIdsAreUniqueAfterOnePassWhenTheyFit() {
        assertThat(passes(new UniqueIds(), 100_000, row -> HashPasses.hash(row)))
                .isEqualTo(1);
    }

    @Test
    void sparseShuffledIdsThatDoNotFitTakeMorePasses() {
        assertThat(passes(new UniqueIds(1 << 18), 100_000, row -> HashPasses.hash(row)))
                .isGreaterThan(5);
    }

    @Test
    void sparseIncreasingIdsNeedNoMemoryAndOnePass() {
        assertThat(passes(new UniqueIds(1 << 16), 100_000, row -> row << 30)).isEqualTo(1);
    }

    @Test
    void aSparseIdOutOfOrderBehindManyThatDidNotFitIsLookedAtAgain() {
        assertThat(passes(new UniqueIds(1 << 16), 50_000, row -> row == 49_999 ? 5 : row << 30))
                .isGreaterThan(2);
    }

    @Test
    void anIdOutOfOrderThatIsTheSameAsOneThatWasForgottenIsRejected() {
        assertThatThrownBy(() -> passes(new UniqueIds(1 << 16), 50_000, row -> row == 49_999 ? 7L << 30 : row << 30))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessage("[t.jsonl row=50000] duplicate transaction id: txn_id=" + (7L << 30)
                        + " first-row=[t.jsonl row=8]; give every transaction a unique id");
    }

    @Test
    void neighboursWithOneIdAreRejectedWithBothRows() {
        assertThatThrownBy(() -> passes(new UniqueIds(), 10, row -> row == 5 ? 4 : row))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessage("[t.jsonl row=6] duplicate transaction id: txn_id=4"
                        + " first-row=[t.jsonl row=5]; give every transaction a unique id");
    }

    @Test
    void denseDuplicatesInDifferentSlicesAreRejectedWithBothRows() {
        assertThatThrownBy(() -> passes(new UniqueIds(), 5000, row -> row == 4200 ? 17 : row))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageStartingWith("[t.jsonl row=4201] duplicate transaction id: txn_id=17")
                .hasMessageContaining("first-row=[t.jsonl row=18]");
    }

    @Test
    void sparseDuplicatesInDifferentSlicesAreRejectedWithBothRows() {
        assertThatThrownBy(() -> passes(new UniqueIds(), 50_000, row -> HashPasses.hash(row == 42_000 ? 17 : row)))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageStartingWith("[t.jsonl row=42001] duplicate transaction id: txn_id=")
                .hasMessageContaining("first-row=[t.jsonl row=18]");
    }

    @Test
    void sparseDuplicatesOfAnyHashClassAreFound() {
        for (int twice = 0; twice < 20; twice++) {
            long seen = twice;

            assertThatThrownBy(() ->
                            passes(new UniqueIds(1 << 16), 20_000, row -> HashPasses.hash(row == 19_999 ? seen : row)))
                    .hasMessageContaining("first-row=[t.jsonl row=" + (seen + 1) + "]");
        }
    }

    @Test
    void oneIdEverywhereIsRejected() {
        assertThatThrownBy(() -> passes(new UniqueIds(1), 5000, row -> row % 2 << 40))
                .hasMessageContaining("duplicate transaction id");
    }

    @Test
    void aMillionDenseIdsTakeLittleMemory() {
        UniqueIds ids = new UniqueIds();

        for (HistorySlice slice : rows(1_000_000, row -> row ^ 3).slices()) {
            ids.add(slice);
        }

        // An eighth of a byte each, so that 100 million take 12.5 MB.
        assertThat(ids.byteSize()).isLessThan(150_000);
        assertThat(ids.needsAnotherPass()).isFalse();
    }

    @Test
    void verdictAndRowsAreThoseOfAPlainMap() {
        long seed = Long.getLong("nightjar.seed", 7);
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            int count = 1 + random.nextInt(3000);
            int shift = random.nextInt(50);
            long range = 1 + random.nextInt(1_000_000);
            long[] idOf = random.longs(count, 0, range).map(id -> id << shift).toArray();
            Map<Long, Integer> rowOf = new HashMap<>();
            boolean hasDuplicate = false;
            for (int row = 0; row < count; row++) {
                hasDuplicate |= rowOf.put(idOf[row], row) != null;
            }

            boolean isRejected = false;
            try {
                passes(new UniqueIds(1L << random.nextInt(30)), count, row -> idOf[(int) row]);
            } catch (MalformedHistoryException rejection) {
                isRejected = true;
            }

            assertThat(isRejected).as("seed=%d round=%d", seed, round).isEqualTo(hasDuplicate);
        }
    }

    private static Rows rows(int count, LongUnaryOperator idOfRow) {
        Rows rows = new Rows().rowsPerSlice(ROWS_PER_SLICE);
        for (int row = 0; row < count; row++) {
            rows.row(idOfRow.applyAsLong(row), 1, row);
        }
        return rows;
    }

    private static int passes(UniqueIds ids, int count, LongUnaryOperator idOfRow) {
        Rows rows = rows(count, idOfRow);
        int passes = 0;
        do {
            passes++;
            for (HistorySlice slice : rows.slices()) {
                ids.add(slice);
            }
        } while (ids.needsAnotherPass());
        return passes;
    }
}
