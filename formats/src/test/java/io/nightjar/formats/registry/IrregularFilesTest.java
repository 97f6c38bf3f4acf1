package io.nightjar.formats.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import io.nightjar.fixtures.HistoryRows;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.MalformedHistoryException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Variants of samples of text formats: other line ends, a byte order mark, compression, truncation. */
class IrregularFilesTest {

    private static final Path SAMPLES = Path.of("").toAbsolutePath().resolveSibling("datasets/samples");

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "debezium-mysql.json",
                "format.dbcop.json",
                "format.edn",
                "format.elle.json",
                "format.hist",
                "format.plume",
                "format.timekiller.json",
                "mariadb-binlog.txt",
                "mysqlbinlog.txt",
                "porcupine.json",
                "table-duckdb.json",
                "table-pandas.json",
                "table.csv",
                "test-decoding.log",
                "tidb-mvcc.json",
                "wal2json-v1.json",
                "wal2json-v2.json",
                "workload-list.jsonl"
            })
    void irregularStorageChangesNothing(String sample) throws IOException {
        byte[] bytes = Files.readAllBytes(SAMPLES.resolve(sample));
        List<String> expected = rows(file(sample, bytes));
        assertThat(expected).isNotEmpty();

        String text = new String(bytes, StandardCharsets.UTF_8);
        HistoryRows.assertSame("mark", rows(file("mark-" + sample, utf8("\uFEFF" + text))), expected);
        HistoryRows.assertSame("crlf", rows(file("crlf-" + sample, utf8(text.replace("\n", "\r\n")))), expected);
        HistoryRows.assertSame("gzip", rows(file(sample + ".gz", gzip(bytes))), expected);
        HistoryRows.assertSame("zstd", rows(file(sample + ".zst", Zstd.compress(bytes))), expected);
        assertRefused("empty-" + sample, new byte[0]);
        byte[] packed = gzip(bytes);
        assertRefused("cut-" + sample + ".gz", Arrays.copyOf(packed, packed.length * 2 / 3));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "debezium-mysql.json",
                "format.dbcop.json",
                "format.elle.json",
                "format.timekiller.json",
                "porcupine.json",
                "table-duckdb.json",
                "table-pandas.json",
                "tidb-mvcc.json",
                "wal2json-v1.json",
                "wal2json-v2.json"
            })
    void trailingBytesAfterJsonAreRejected(String sample) throws IOException {
        byte[] bytes = Files.readAllBytes(SAMPLES.resolve(sample));
        byte[] garbage = {0, (byte) 0xff, ' ', 'g', 'a', 'r', 'b', 'a', 'g', 'e', ' ', '{', ']'};
        byte[] withGarbage = Arrays.copyOf(bytes, bytes.length + garbage.length);
        System.arraycopy(garbage, 0, withGarbage, bytes.length, garbage.length);

        assertRefused("behind-" + sample, withGarbage);
    }

    @Test
    void aSecondArrayOfOperationsIsRefused() throws IOException {
        String array = Files.readString(SAMPLES.resolve("porcupine.json"));

        assertRefused("two.json", utf8(array + "\n" + array));
    }

    @Test
    void whatStandsAroundATransactionOfViperIsRefused() throws IOException {
        String txn = "{\"value\":[[\"w\",\"x\",1]]}";
        assertThat(rows(file("J0.log", utf8(" " + txn + " \n\n")), "viper")).hasSize(1);

        for (String line : new String[] {"garbage " + txn, txn + txn, txn + " garbage"}) {
            Path file = file("J0.log", utf8(line + "\n"));
            assertThatThrownBy(() -> rows(file, "viper")).as(line).isInstanceOf(MalformedHistoryException.class);
        }
    }

    @Test
    void operationsOfJepsenAreNotTransactionsOfViper() {
        Path elle = SAMPLES.resolve("format.elle.json");
        assertThatThrownBy(() -> Histories.open(elle, "viper")
                        .open(0, EnumSet.allOf(ColumnGroup.class), BadRowHandler.REJECT)
                        .next())
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageContaining("line=1] an operation of Jepsen, not a transaction of Viper");
    }

    private void assertRefused(String name, byte[] bytes) throws IOException {
        Path file = file(name, bytes);
        assertThatThrownBy(() -> rows(file))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageStartingWith("[" + file);
    }

    private Path file(String name, byte[] bytes) throws IOException {
        return Files.write(folder.resolve(name), bytes);
    }

    private static List<String> rows(Path file) throws IOException {
        return rows(file, null);
    }

    private static List<String> rows(Path file, String format) throws IOException {
        try (HistorySource source = Histories.open(file, format)) {
            return HistoryRows.of(HistoryRows.slices(source, BadRowHandler.REJECT));
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(packed)) {
            out.write(bytes);
        }
        return packed.toByteArray();
    }
}
