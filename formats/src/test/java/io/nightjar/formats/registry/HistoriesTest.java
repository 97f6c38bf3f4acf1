package io.nightjar.formats.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.fixtures.HistoryRows;
import io.nightjar.fixtures.RandomSlices;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.ValueType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.assertj.core.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistoriesTest {

    private static final String LINE = "{\"session\":1,\"ops\":[]}\n";

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "a.parquet,parquet",
        "a.arrow,arrow",
        "a.jsonl,jsonl",
        "a.jsonl.gz,jsonl",
        "a.jsonl.zst,jsonl",
        "a.txt,notation"
    })
    void contentDeterminesFormat(String name, String format) throws IOException {
        Path named = folder.resolve(name);
        HistoryRows.write(Histories.create(named, null), new RandomSlices(1, ValueType.LONG, ValueType.LONG).slices(3));
        Path misnamed = Files.copy(named, folder.resolve("b.data"));

        assertThat(formatOf(named)).isEqualTo(format);
        assertThat(formatOf(misnamed)).isEqualTo(format);
    }

    @Test
    void certainContentWinsOverTheExtension() throws IOException {
        Path misnamed = Files.writeString(folder.resolve("a.parquet"), LINE);

        assertThat(formatOf(misnamed)).isEqualTo("jsonl");
    }

    @Test
    void extensionDecidesWhatContentLeavesOpen() throws IOException {
        Path file = Files.writeString(folder.resolve("a.jsonl"), "[broken\n" + LINE);

        assertThat(formatOf(file)).isEqualTo("jsonl");
    }

    @Test
    void arrayOfTransactionsIsTimeKillers() throws IOException {
        assertThat(formatOf(Files.writeString(folder.resolve("a.json"), " [ ]")))
                .isEqualTo("timekiller");
        assertThat(formatOf(Files.writeString(folder.resolve("b.x"), "[\n{\"tid\":1}]")))
                .isEqualTo("timekiller");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = " => ",
            quoteCharacter = '`',
            value = {
                "{:type :ok} => edn",
                "[ {:type :ok}] => edn",
                "; from a test~~#jepsen.history.Op{:type :ok} => edn",
                "[{\"index\":0,\"type\": \"invoke\",\"value\":[]}] => elle-json",
                "[{\"value\":[[\"r\",1,null]],\"process\":0}] => elle-json",
                "{\"type\":\"ok\",\"value\":[]} => elle-json",
                "{\"session\":0,\"type\":\"ok\",\"ops\":[]} => jsonl",
                "[{\"tid\":0,\"type\":\"ok\",\"ops\":[]}] => timekiller",
                "[] => timekiller",
            })
    void operationMapsAreDistinguishedFromOtherObjects(String text, String format) throws IOException {
        Path file = Files.writeString(folder.resolve("a.data"), text.replace('~', '\n'));

        assertThat(formatOf(file)).isEqualTo(format);
    }

    @Test
    void foreignContentIsNotRecognised() throws IOException {
        Path file = Files.writeString(folder.resolve("a.data"), "a,b\n1,2\n");

        assertThatThrownBy(() -> Histories.open(file, null))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageStartingWith("[" + file + "] format not recognised: extensions=.parquet,");
    }

    @Test
    void unknownFormatNamesTheKnownOnes() {
        assertThatThrownBy(() -> Histories.open(folder, "fressian"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("unknown format: format=fressian expected=parquet|arrow|jsonl|");
    }

    @Test
    void outputWithoutAKnownExtensionNeedsAFormat() {
        assertThatThrownBy(() -> Histories.create(folder.resolve("out.xyz"), null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("format of the output unknown: file=");
    }

    @Test
    void missingFileIsReported() {
        Path file = folder.resolve("none.jsonl");

        assertThatThrownBy(() -> Histories.open(file, null))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessage("[%s] no such file or directory", file);
    }

    @Test
    void emptyFileIsRejectedWhateverItsFormat() throws IOException {
        for (String name : List.of("a.jsonl", "a.txt", "a.json", "a.parquet", "a.arrow", "a.xyz")) {
            Path file = Files.createFile(folder.resolve(name));

            assertThatThrownBy(() -> Histories.open(file, null))
                    .isInstanceOf(MalformedHistoryException.class)
                    .hasMessage("[%s] file is empty: bytes=0; was it written completely", file);
        }
    }

    @Test
    void fileThatMayNotBeReadIsRejected() throws IOException {
        Path file = Files.writeString(folder.resolve("a.jsonl"), LINE);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("-wx------"));
        Assumptions.assumeThat(Files.isReadable(file))
                .as("this user may read everything")
                .isFalse();

        assertThatThrownBy(() -> Histories.open(file, null))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessage("[%s] may not be read; check the permissions of the file", file);
    }

    // ---------------------------------------------------------------- directories

    @Test
    void directoryIsOneHistorySortedByName() throws IOException {
        Path directory = Files.createDirectory(folder.resolve("h"));
        Files.writeString(directory.resolve("b.jsonl"), "{\"txn\":20,\"session\":1,\"ops\":[]}\n");
        Files.writeString(directory.resolve("a.jsonl"), "{\"txn\":10,\"session\":1,\"ops\":[]}\n");
        Files.writeString(directory.resolve("_SUCCESS"), "");
        Files.writeString(directory.resolve(".a.jsonl.crc"), "crc");
        Files.createDirectory(directory.resolve("_temporary"));

        List<String> rows = HistoryRows.at(directory);

        assertThat(rows).hasSize(2);
        assertThat(rows.get(0)).startsWith("txn=10 session=1 seq=0");
        assertThat(rows.get(1)).startsWith("txn=20 session=1 seq=1");
    }

    @Test
    void partsOfArrowAndParquetAreOneHistoryToo() throws IOException {
        for (String extension : List.of(".arrow", ".parquet")) {
            Path directory = Files.createDirectory(folder.resolve("h" + extension));
            List<io.nightjar.formats.history.HistorySlice> first =
                    new RandomSlices(1, ValueType.LONG, ValueType.LONG).slices(5);
            List<io.nightjar.formats.history.HistorySlice> second =
                    new RandomSlices(2, ValueType.LONG, ValueType.LONG).slices(5);
            HistoryRows.write(Histories.create(directory.resolve("1" + extension), null), first);
            HistoryRows.write(Histories.create(directory.resolve("2" + extension), null), second);

            List<String> expected = new java.util.ArrayList<>(HistoryRows.of(first));
            expected.addAll(HistoryRows.of(second));
            HistoryRows.assertSame(extension, HistoryRows.at(directory), expected);
        }
    }

    @Test
    void foreignFileInADirectoryIsNamed() throws IOException {
        Path directory = Files.createDirectory(folder.resolve("h"));
        Files.writeString(directory.resolve("a.jsonl"), LINE);
        Files.writeString(directory.resolve("notes.md"), "hello");

        assertThatThrownBy(() -> Histories.open(directory, null))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessage(
                        "[%s] foreign file in a directory that is one history: file=notes.md expected=one of parquet|arrow|jsonl|table|debezium|test-decoding|wal2json|mysqlbinlog|cockroach|tidb;"
                                + " move it away or begin its name with _",
                        directory);
    }

    @Test
    void mixtureOfFormatsInADirectoryIsRejected() throws IOException {
        Path directory = Files.createDirectory(folder.resolve("h"));
        Files.writeString(directory.resolve("a.jsonl"), LINE);
        HistoryRows.write(Histories.create(directory.resolve("b.arrow"), null), List.of());

        assertThatThrownBy(() -> Histories.open(directory, null))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageContaining("file=b.arrow expected=jsonl like the others, not arrow");
    }

    @Test
    void directoryInADirectoryIsRejected() throws IOException {
        Path directory = Files.createDirectory(folder.resolve("h"));
        Files.writeString(directory.resolve("a.jsonl"), LINE);
        Files.createDirectory(directory.resolve("more"));

        assertThatThrownBy(() -> Histories.open(directory, null))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageContaining("file=more expected=a file");
    }

    @Test
    void foldersOfPartitionsAreOpened() throws IOException {
        Path directory = folder.resolve("h");
        for (int day = 1; day <= 2; day++) {
            Path partition = Files.createDirectories(directory.resolve("year=2026/day=" + day));
            Files.writeString(partition.resolve("a.jsonl"), "{\"txn\":" + day + ",\"session\":0,\"ops\":[]}\n");
        }

        assertThat(HistoryRows.at(directory)).hasSize(2);
    }

    @Test
    void emptyDirectoryIsRejected() throws IOException {
        Path directory = Files.createDirectory(folder.resolve("h"));
        Files.writeString(directory.resolve("_SUCCESS"), "");

        assertThatThrownBy(() -> Histories.open(directory, null))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessage(
                        "[%s] directory holds no history: files=0; names that begin with _ or . are skipped",
                        directory);
    }

    private static String formatOf(Path file) throws IOException {
        try (HistorySource source = Histories.open(file, null)) {
            return source.format();
        }
    }
}
