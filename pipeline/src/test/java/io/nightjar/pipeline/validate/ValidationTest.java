package io.nightjar.pipeline.validate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.fixtures.Seeds;
import io.nightjar.fixtures.small.RandomHistory;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.MalformedHistoryException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ValidationTest {

    private static final long FIRST_SEED = Long.getLong("nightjar.seed", 1);
    private static final int HISTORIES = Seeds.rounds(500);

    @Test
    void aWholeRowRepeatedInALaterSliceIsADuplicateId() {
        Rows rows = new Rows().row(1, 1, 0).row(2, 1, 1).row(1, 1, 0).rowsPerSlice(1);

        assertThatThrownBy(() -> validate(rows))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageStartingWith(
                        "[t.jsonl row=3] duplicate transaction id: txn_id=1 first-row=[t.jsonl row=1];");
    }

    @Test
    void aPositionTakenTwiceInDistantSlicesNamesBothRows() {
        Rows rows = new Rows().row(1, 1, 0).row(2, 1, 1).row(3, 1, 0).rowsPerSlice(1);

        assertThatThrownBy(() -> validate(rows))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageContaining("row=3")
                .hasMessageContaining("row=1");
    }

    @Tag(Seeds.TAG)
    @Test
    void uniqueIdsTakeOnePassWithSameFindings() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
            List<HistorySlice> slices =
                    RandomHistory.of(seed, 40).shuffled(seed).slices(3);
            Validation unique = Validation.ofUnique(1 << 20);
            slices.forEach(unique::add);
            assertThat(unique.needsAnotherPass()).as("seed=%d", seed).isFalse();

            Validation any = new Validation(1 << 20);
            do {
                slices.forEach(any::add);
            } while (any.needsAnotherPass());
            assertThat(unique.findings()).as("seed=%d", seed).isEqualTo(any.findings());
            assertThat(unique.sessionCount()).as("seed=%d", seed).isEqualTo(any.sessionCount());
        }
    }

    private static void validate(Rows rows) {
        Validation validation = new Validation(1 << 20);
        do {
            for (HistorySlice slice : rows.slices()) {
                if (!validation.isSettled()) {
                    validation.add(slice);
                }
            }
        } while (validation.needsAnotherPass());
    }
}
