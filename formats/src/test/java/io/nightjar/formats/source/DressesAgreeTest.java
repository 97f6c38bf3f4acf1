package io.nightjar.formats.source;

import io.nightjar.fixtures.HistoryRows;
import io.nightjar.fixtures.RandomSlices;
import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.ValueType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From every dress into every other, nothing is lost. */
class DressesAgreeTest {

    private static final List<String> FILES =
            List.of("a.jsonl", "b.txt", "c.jsonl.gz", "d.jsonl.zst", "e.arrow", "f.parquet");

    @TempDir
    Path folder;

    @Test
    void conversionBetweenAnyTwoDressesIsLossFree() throws IOException {
        for (ValueType keyType : List.of(ValueType.LONG, ValueType.STRING)) {
            long seed = Seeds.seed(31);
            List<HistorySlice> history = new RandomSlices(seed, keyType, ValueType.STRING)
                    .withPredicates()
                    .slices(80);
            List<String> rows = HistoryRows.of(history);
            for (String from : FILES) {
                HistoryRows.write(Histories.create(folder.resolve(from), null), history);
                for (String to : FILES) {
                    Path converted = folder.resolve("to-" + to);
                    convert(folder.resolve(from), converted);

                    String what = "from=%s to=%s seed=%d".formatted(from, to, seed);
                    HistoryRows.assertSame(what, HistoryRows.at(converted), rows);
                }
            }
        }
    }

    private static void convert(Path from, Path to) throws IOException {
        try (HistorySource source = Histories.open(from, null)) {
            HistoryRows.write(Histories.create(to, null), HistoryRows.slices(source, BadRows.REJECT));
        }
    }
}
