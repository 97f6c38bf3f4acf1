package io.nightjar.datasets.random;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RandomHistoryTest {

    private static final int HISTORIES = 500;

    @Test
    void sameSeedGivesTheSameHistory() {
        for (long seed = 0; seed < HISTORIES; seed++) {
            assertThat(RandomHistory.of(seed)).isEqualTo(RandomHistory.of(seed));
        }
    }

    @Test
    void notationGoesThereAndBack() {
        for (long seed = 0; seed < HISTORIES; seed++) {
            SmallHistory history = RandomHistory.of(seed);

            SmallHistory back = SmallHistory.parse(history.toText());

            assertThat(sorted(back)).as("seed=%d", seed).isEqualTo(sorted(history));
            assertThat(back.initialValue()).isEqualTo(history.initialValue());
        }
    }

    @Test
    void readerOfTheNotationUnderstandsWhatIsWritten(@TempDir Path folder) throws IOException {
        for (long seed = 0; seed < HISTORIES; seed += 10) {
            SmallHistory history = SmallHistory.parse(RandomHistory.of(seed).toText());
            Path file = Files.writeString(folder.resolve(seed + ".txt"), history.toText());

            assertThat(NotationRows.read(file))
                    .as("seed=%d%n%s", seed, history)
                    .isEqualTo(NotationRows.of(history.slices(history.txns().size())));
        }
    }

    @Test
    void sliceSizeDoesNotChangeTheRows() {
        for (long seed = 0; seed < HISTORIES; seed++) {
            SmallHistory history = RandomHistory.of(seed);

            assertThat(rows(history, 1)).as("seed=%d", seed).isEqualTo(rows(history, 100));
        }
    }

    @Test
    void whatIsRareElsewhereIsFrequentHere() {
        Map<String, Integer> countOf = new TreeMap<>();
        for (long seed = 0; seed < HISTORIES; seed++) {
            SmallHistory history = RandomHistory.of(seed);
            for (SmallHistory.Txn txn : history.txns()) {
                count(countOf, "instant", txn.start() == txn.commit());
                count(countOf, "backward", txn.start() > txn.commit() && txn.commit() > 0);
                count(countOf, "aborted", txn.status() == TxnStatus.ABORTED);
                count(countOf, "unknown", txn.status() == TxnStatus.UNKNOWN);
                count(
                        countOf,
                        "reader without commit",
                        txn.isReadOnly() && txn.commit() == HistorySlice.NONE && txn.status() == TxnStatus.COMMITTED);
                count(countOf, "list", txn.ops().stream().anyMatch(op -> op.kind() == OpKind.APPEND));
            }
            count(countOf, "initial value", history.initialValue() != null);
        }

        assertThat(countOf.values()).allMatch(count -> count > HISTORIES / 25, countOf.toString());
    }

    @Test
    void shrinkingKeepsWhatFailsAndNothingElse() {
        SmallHistory history = SmallHistory.parse(
                """
                s1 T1 [1,2]: w(x,1) w(y,1)
                s1 T2 [3,4]: w(x,2) r(y,1)
                s2 T3 [5,6]: r(x,2)
                """);

        SmallHistory smallest = Shrinker.shrink(
                history,
                fewer -> fewer.toText().contains("w(x,2)") && fewer.toText().contains("r(x,2)"));

        assertThat(smallest.toText())
                .isEqualTo(
                        """
                s1 T2 [3,4]: w(x,2)
                s2 T3 [5,6]: r(x,2)
                """);
    }

    private static void count(Map<String, Integer> countOf, String what, boolean isSo) {
        countOf.merge(what, isSo ? 1 : 0, Integer::sum);
    }

    private static List<SmallHistory.Txn> sorted(SmallHistory history) {
        return history.txns().stream()
                .sorted(Comparator.comparingLong(SmallHistory.Txn::id))
                .toList();
    }

    private static List<String> rows(SmallHistory history, int txnsPerSlice) {
        List<String> rows = new ArrayList<>();
        for (HistorySlice slice : history.slices(txnsPerSlice)) {
            for (String row : NotationRows.of(List.of(slice))) {
                rows.add(row.replaceAll(" (NONE|LONG|STRING)", ""));
            }
        }
        return rows;
    }
}
