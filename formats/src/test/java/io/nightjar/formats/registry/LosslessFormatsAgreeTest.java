package io.nightjar.formats.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.HistoryRows;
import io.nightjar.fixtures.RandomSlices;
import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.SourceDiagnostic;
import io.nightjar.formats.history.ValueType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Conversion from every lossless format to every other loses no data. */
class LosslessFormatsAgreeTest {

    private static final List<String> FILES =
            List.of("a.jsonl", "b.txt", "c.jsonl.gz", "d.jsonl.zst", "e.arrow", "f.parquet");

    @TempDir
    Path folder;

    @Test
    void conversionBetweenAnyTwoFormatsIsLossFree() throws IOException {
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

    @Test
    void doubtIsPreservedByEveryFormatAndIsNoRow() throws IOException {
        String why = "the log was lost: \"at\" {here}";
        List<HistorySlice> history = new RandomSlices(Seeds.seed(32), ValueType.LONG, ValueType.LONG).slices(5);
        for (List<HistorySlice> slices : List.of(history, List.<HistorySlice>of())) {
            for (String name : FILES) {
                HistoryWriter writer = Histories.create(folder.resolve(name), null);
                writer.doubt(why);
                HistoryRows.write(writer, slices);

                assertThat(HistoryRows.at(folder.resolve(name))).as(name).isEqualTo(HistoryRows.of(slices));
                assertThat(remarks(folder.resolve(name)))
                        .as(name)
                        .singleElement()
                        .satisfies(remark -> assertThat(remark.doubt()).isEqualTo(why));
            }
        }
    }

    @Test
    void aTransactionWithAMemberCalledDoubtIsATransaction() throws IOException {
        Path file = Files.writeString(folder.resolve("h.jsonl"), "{\"doubt\":\"x\",\"session\":0,\"ops\":[]}\n");

        assertThat(HistoryRows.at(file)).hasSize(1);
        assertThat(remarks(file)).isEmpty();
    }

    private static List<SourceDiagnostic> remarks(Path file) throws IOException {
        try (HistorySource source = Histories.open(file, null)) {
            HistoryRows.slices(source, BadRowHandler.REJECT);
            return source.remarks();
        }
    }

    private static void convert(Path from, Path to) throws IOException {
        try (HistorySource source = Histories.open(from, null)) {
            HistoryRows.write(Histories.create(to, null), HistoryRows.slices(source, BadRowHandler.REJECT));
        }
    }
}
