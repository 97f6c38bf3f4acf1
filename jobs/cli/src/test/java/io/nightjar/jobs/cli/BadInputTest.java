package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nightjar.fixtures.JsonTree;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.registry.Histories;
import io.nightjar.jobs.lake.Lake;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Invalid or unusual histories: located messages, the right code, nothing half-written, never a stack. */
class BadInputTest {

    @TempDir
    private Path folder;

    private Path lake;

    @BeforeEach
    void nameTheLake() {
        lake = folder.resolve("lake");
    }

    // ---------------------------------------------------------------- files

    @ParameterizedTest
    @ValueSource(strings = {".parquet", ".arrow", ".jsonl", ".jsonl.gz", ".jsonl.zst", ".txt", ".json"})
    void aFileOfZeroBytesIsRejected(String extension) throws IOException {
        Path file = Files.createFile(folder.resolve("zero" + extension));

        assertRejected(file, "[" + file + "] ", "file is empty");
    }

    @ParameterizedTest
    @ValueSource(strings = {".parquet", ".arrow", ".jsonl", ".jsonl.gz", ".jsonl.zst", ".txt", ".json"})
    void aTruncatedFileIsRejected(String extension) throws IOException {
        Path whole = folder.resolve("whole" + extension);
        write(whole, history(200));
        byte[] bytes = Files.readAllBytes(whole);
        for (int wanted : new int[] {2, bytes.length / 3, bytes.length - 9}) {
            int cut = wanted;
            // a prefix that ends with a line is no less a text than the whole
            while (isEndOfLine(bytes, bytes.length - cut)) {
                cut++;
            }
            Path file = folder.resolve("cut" + cut + extension);
            Files.write(file, Arrays.copyOf(bytes, bytes.length - cut));

            assertRejected(file, "[" + file);
        }
    }

    private static boolean isEndOfLine(byte[] bytes, int length) {
        return bytes[length] == '\n' || bytes[length - 1] == '\n';
    }

    @ParameterizedTest
    @ValueSource(strings = {".parquet", ".arrow", ".jsonl", ".txt", ".json", ".xml", ""})
    void aFileOfAnythingIsRejected(String extension) throws IOException {
        for (String content : List.of("PAR1 and then nothing of the kind", "<xml/>", "\u0000\u0001\u0002", "[", "{}")) {
            Path file = Files.writeString(folder.resolve("any" + extension), content);

            assertRejected(file, "[" + file);
        }
    }

    @ParameterizedTest
    @CsvSource({".parquet,.jsonl", ".jsonl,.parquet", ".arrow,.txt", ".jsonl,.arrow", ".parquet,.json", ".arrow,.dat"})
    void aHistoryUnderTheWrongExtensionIsReadOrRejected(String written, String named) throws IOException {
        Path file = folder.resolve("right" + written);
        write(file, history(20));
        Path wrong = Files.move(file, folder.resolve("wrong" + named));

        CommandRun run = check(wrong);

        assertThat(run.code()).as("%s", run).isIn(0, 3);
        if (run.code() == 3) {
            assertThat(run.err()).startsWith("nightjar: [" + wrong);
        } else {
            assertThat(JsonTree.object(run.out())).containsEntry("transactions", 20L);
        }
    }

    @Test
    void aFormatThatTheFileDoesNotHaveIsRejected() throws IOException {
        Path file = Files.writeString(folder.resolve("good.jsonl"), SmallFiles.GOOD_ROW);
        for (String format : List.of(
                "parquet",
                "arrow",
                "notation",
                "timekiller",
                "dbcop",
                "dbcop-json",
                "hist",
                "plume",
                "awdit",
                "cobra")) {
            CommandRun run =
                    CommandRun.of("check", file.toString(), "--from", format, "--json", "--lake", lake.toString());

            assertThat(run.code()).as("%s %s", format, run).isEqualTo(3);
            assertThat(run.err()).startsWith("nightjar: [" + file);
            assertThat(lake).doesNotExist();
        }
    }

    @Test
    void aMissingFileIsRejected() {
        Path file = folder.resolve("missing.parquet");

        assertRejected(file, "[" + file + "] no such file or directory");
    }

    @Test
    void aFileThatMayNotBeReadIsRejected() throws IOException {
        Path file = Files.writeString(folder.resolve("secret.jsonl"), SmallFiles.GOOD_ROW);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
        assumeTrue(!Files.isReadable(file), "this user may read everything: file=" + file);

        assertRejected(file, "[" + file + "] may not be read; check the permissions of the file");
    }

    // ---------------------------------------------------------------- directories

    @Test
    void anEmptyDirectoryIsRejected() throws IOException {
        Path directory = Files.createDirectory(folder.resolve("empty"));

        assertRejected(directory, "[" + directory + "] directory holds no history");
    }

    @Test
    void aDirectoryWithForeignFilesIsRejectedWithAHint() throws IOException {
        Path directory = Files.createDirectory(folder.resolve("parts"));
        Files.writeString(directory.resolve("a.jsonl"), SmallFiles.GOOD_ROW);
        Files.writeString(directory.resolve("readme.md"), "# a history\n");

        assertRejected(directory, "[" + directory + "] foreign file", "file=readme.md", "begin its name with _");
    }

    @Test
    void aDirectoryOfTwoFormatsIsRejected() throws IOException {
        Path directory = Files.createDirectory(folder.resolve("parts"));
        Files.writeString(directory.resolve("a.jsonl"), SmallFiles.GOOD_ROW);
        write(directory.resolve("b.parquet"), history(3));

        assertRejected(directory, "[" + directory + "] foreign file", "b.parquet");
    }

    @Test
    void hiddenNamesInADirectoryArePassedOver() throws IOException {
        Path directory = Files.createDirectory(folder.resolve("parts"));
        Files.writeString(directory.resolve("a.jsonl"), SmallFiles.GOOD_ROW);
        Files.writeString(directory.resolve("_SUCCESS"), "");
        Files.writeString(directory.resolve(".a.jsonl.crc"), "crc");

        assertThat(check(directory).code()).isZero();
    }

    // ---------------------------------------------------------------- rows

    @ParameterizedTest
    @ValueSource(strings = {".parquet", ".arrow", ".jsonl", ".jsonl.gz", ".txt"})
    void aTransactionIdUsedTwiceIsRejectedNamingBothRows(String extension) throws IOException {
        Path file = folder.resolve("twice" + extension);
        write(file, rows(txn(1, 0, 0), txn(2, 0, 1), txn(1, 1, 0)));

        CommandRun run = assertRejected(file, "[" + file, "duplicate transaction id: txn_id=1 first-row=[");
        assertThat(run.err()).contains("3]").contains("1]");
    }

    @ParameterizedTest
    @ValueSource(strings = {".jsonl", ".jsonl.gz", ".txt"})
    void duplicateTransactionIdIsReportedWithBothLines(String extension) throws IOException {
        Path file = folder.resolve("twice" + extension);
        write(file, rows(txn(1, 0, 0), txn(2, 0, 1), txn(1, 1, 0)));

        assertRejected(file, "[" + file + " line=3] duplicate", "first-row=[" + file + " line=1]");
    }

    @ParameterizedTest
    @ValueSource(strings = {".parquet", ".arrow", ".jsonl", ".jsonl.gz"})
    void aPartRepeatedInADirectoryIsRejected(String extension) throws IOException {
        Path directory = Files.createDirectory(folder.resolve("parts"));
        write(directory.resolve("a" + extension), history(100));
        Files.copy(directory.resolve("a" + extension), directory.resolve("b" + extension));

        assertRejected(directory, "[" + directory, "duplicate transaction id");
    }

    @ParameterizedTest
    @ValueSource(strings = {".parquet", ".arrow", ".jsonl", ".jsonl.zst"})
    void aPositionUsedTwiceIsRejectedNamingBothRows(String extension) throws IOException {
        Path file = folder.resolve("twice" + extension);
        write(file, rows(txn(1, 0, 0), txn(2, 0, 1), txn(3, 0, 0)));

        CommandRun run = assertRejected(file, "[" + file, "session_id=0", "session_seq=0");
        assertThat(run.err()).contains("3]").contains("1]");
    }

    @ParameterizedTest
    @ValueSource(strings = {".parquet", ".arrow", ".jsonl"})
    void gapsAndDisorderInSessionsAreLint(String extension) throws IOException {
        Path file = folder.resolve("gaps" + extension);
        write(file, rows(txn(2, 0, 7), txn(1, 0, 2), txn(3, 0, 9)));

        CommandRun run = check(file);

        assertThat(run.code()).as("%s", run).isZero();
        assertThat(lintRules()).contains("L15", "L16");
    }

    @ParameterizedTest
    @ValueSource(strings = {".parquet", ".arrow", ".jsonl", ".txt"})
    void aStartAfterTheCommitIsAnAnomaly(String extension) throws IOException {
        Path file = folder.resolve("backwards" + extension);
        write(file, rows(txn(1, 0, 0).at(9, 5)));

        CommandRun run = check(file);

        Map<String, Object> result = JsonTree.object(run.out());
        assertThat(run.code()).as("%s", run).isEqualTo(1);
        assertThat(JsonTree.<Object>at(result, "levels", "snapshot-isolation", "types"))
                .isEqualTo(Map.of("TIMESTAMP-ORDER", 1L));
        assertThat(JsonTree.<String>at(result, "levels", "serializable", "verdict"))
                .isEqualTo("holds");
        assertThat(lintRules()).contains("L06");
    }

    @ParameterizedTest
    @ValueSource(strings = {".parquet", ".arrow", ".jsonl", ".txt"})
    void aHistoryWithoutCommittedTransactionsHoldsWithAWarning(String extension) throws IOException {
        Path file = folder.resolve("aborted" + extension);
        write(file, rows(txn(1, 0, 0).aborted()));

        CommandRun run = check(file);

        assertThat(run.code()).as("%s", run).isZero();
        assertThat(JsonTree.object(run.out())).containsEntry("verdict", "holds").containsEntry("transactions", 1L);
        assertThat(lintRules()).contains("L17");
    }

    @ParameterizedTest
    @ValueSource(strings = {".parquet", ".arrow", ".jsonl", ".jsonl.gz", ".txt"})
    void aHistoryWithoutTransactionsHoldsWithAWarning(String extension) throws IOException {
        Path file = folder.resolve("nothing" + extension);
        write(file, List.of());

        CommandRun run = check(file);

        assertThat(run.code()).as("%s", run).isZero();
        assertThat(JsonTree.object(run.out())).containsEntry("verdict", "holds").containsEntry("transactions", 0L);
        assertThat(lintRules()).contains("L17");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            {"txn":1,"session":0,"ops":[["q","x",1]]}                                  | unknown operation kind: kind=q
            {"txn":1,"session":0,"status":"maybe","ops":[]}                            | unknown status
            {"txn":9223372036854775808,"session":0,"ops":[]}                           | 9223372036854775808
            {"txn":1,"session":0,"ops":[["w","x",9223372036854775808]]}                | 9223372036854775808
            {"txn":1,"session":0,"start":18446744073709551615,"ops":[]}                | 18446744073709551615
            {"txn":1,"session":null,"ops":[]}                                          | session
            {"txn":1,"session":0,"ops":null}                                           | an array of operations
            {"txn":1,"session":0,"ops":[["w",null,1]]}                                 | as key
            {"txn":1,"session":0,"ops":[["w","x",null]]}                               | to write
            {"txn":1,"session":0,"ops":[["w","x"]]}                                    | value
            {"txn":"one","session":0,"ops":[]}                                         | txn
            {"txn":1,"session":0,"ops":{"w":"x"}}                                      | an array of operations
            {"txn":1,"session":0}                                                      | ops missing
            {"session":0,"ops":[]} and more                                            | nothing more
            {"txn":1,"session":0,"ops":[["w","x",1]]                                   | [
            not json at all                                                            | [
            [1,2,3]                                                                    | [
            """)
    void aBadLineIsRejectedWithItsNumber(String line, String messages) throws IOException {
        Path file = Files.writeString(
                folder.resolve("bad.jsonl"),
                "{\"txn\":7,\"session\":7,\"ops\":[[\"w\",\"x\",1]]}\n" + line.strip() + "\n"
                        + "{\"txn\":8,\"session\":8,\"ops\":[]}\n");

        assertRejected(file, "[" + file + " line=2] ", messages);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            s1 T1 [1,2]: q(x,1)                        | kind
            s1 T1 [1,2: w(x,1)                         | [
            T1: w(x,1)                                 | [
            s1 T1 [1,2]: w(x,9223372036854775808)      | 9223372036854775808
            s1 T1 [9223372036854775808,_]: w(x,1)      | 9223372036854775808
            s1 T1 [1,2]: w(x,_)                        | w
            s1 T1 [1,2]: w(x                           | [
            """)
    void aBadLineOfNotationIsRejectedWithItsNumber(String line, String messages) throws IOException {
        Path file = Files.writeString(folder.resolve("bad.txt"), "s7 T7 [1,2]: w(x,1)\n" + line.strip() + "\n");

        assertRejected(file, "[" + file + " line=2] ", messages);
    }

    @ParameterizedTest
    @CsvSource({"x,1,2,1", "x,1,x,'\"v\"'"})
    void keysAndValuesOfSeveralTypesAreChecked(String key, String value, String otherKey, String otherValue)
            throws IOException {
        String first = key.equals("x") ? "\"x\"" : key;
        String second = otherKey.equals("x") ? "\"x\"" : otherKey;
        Path file = Files.writeString(
                folder.resolve("mixed.jsonl"),
                "{\"txn\":1,\"session\":0,\"ops\":[[\"w\"," + first + "," + value + "]]}\n"
                        + "{\"txn\":2,\"session\":1,\"ops\":[[\"w\"," + second + "," + otherValue + "]]}\n");

        assertThat(JsonTree.object(check(file).out())).containsEntry("verdict", "holds");
    }

    @ParameterizedTest
    @ValueSource(strings = {".parquet", ".arrow", ".jsonl"})
    void partsOfDifferentTypesAreOneHistory(String extension) throws IOException {
        Path directory = Files.createDirectory(folder.resolve("parts"));
        write(directory.resolve("a" + extension), rows(txn(1, 0, 0)));
        SliceBuilder other = new SliceBuilder("strings");
        other.keysAreStrings();
        other.valuesAreLongs();
        other.beginTxn(1, 2, 1, 0);
        other.op(OpKind.WRITE, other.keyNames().intern("x"), 1);
        other.endTxn();
        write(directory.resolve("b" + extension), List.of(other.build()));

        assertThat(JsonTree.object(check(directory).out()))
                .containsEntry("verdict", "holds")
                .containsEntry("keys", 2L);
    }

    // ---------------------------------------------------------------- Parquet of others

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            'one' AS txn_id                                                              | txn_id
            1.5::DOUBLE AS session_id                                                    | session_id
            [1] AS status                                                                | status
            'soon' AS start_ts                                                           | start_ts
            42 AS ops                                                                    | ops
            [{'kind': 'w', 'key': 1.5::DOUBLE, 'value': 1::BIGINT}] AS ops               | key
            [{'key': 'x', 'value': 1::BIGINT}] AS ops                                    | kind
            NULL::BIGINT AS txn_id                                                       | txn_id
            NULL::BIGINT AS session_id                                                   | session_id
            NULL::BIGINT AS session_seq                                                  | session_seq
            [{'kind': NULL::VARCHAR, 'key': 'x', 'value': 1::BIGINT}] AS ops             | kind
            [{'kind': 'w', 'key': NULL::VARCHAR, 'value': 1::BIGINT}] AS ops             | key
            [{'kind': 'w', 'key': 'x', 'value': NULL::BIGINT}] AS ops                    | value
            [{'kind': 'q', 'key': 'x', 'value': 1::BIGINT}] AS ops                       | q
            'maybe' AS status                                                            | maybe
            9223372036854775808::UBIGINT AS txn_id                                       | 9223372036854775808
            [{'kind': 'w', 'key': 'x', 'value': 9223372036854775808::UBIGINT}] AS ops    | 9223372036854775808
            """)
    void aParquetFileThatIsNoHistoryIsRejected(String replaced, String messages) {
        Path file = folder.resolve("foreign.parquet");
        SmallFiles.parquet(file, SmallFiles.parquetRow(replaced));

        assertRejected(file, "[" + file, messages);
    }

    @Test
    void aParquetFileOfAnotherSchemaIsRejected() {
        Path file = folder.resolve("orders.parquet");
        SmallFiles.parquet(file, "SELECT 1 AS id, 'shoes' AS article");

        assertRejected(file, "[" + file + "] ", "txn_id");
    }

    @Test
    void theParquetRowWithoutReplacementsIsAHistory() {
        Path file = folder.resolve("good.parquet");
        SmallFiles.parquet(file, SmallFiles.parquetRow("1::BIGINT AS txn_id"));

        assertThat(check(file).code()).isZero();
    }

    // ---------------------------------------------------------------- several histories, lakes and disks

    @Test
    void aRejectedHistoryLeavesTheOthersAlone() throws IOException {
        Path bad = Files.writeString(folder.resolve("bad.jsonl"), "not json\n");
        Path good = Files.writeString(folder.resolve("good.jsonl"), SmallFiles.GOOD_ROW);

        CommandRun run = CommandRun.of("check", bad.toString(), good.toString(), "--json", "--lake", lake.toString());

        assertThat(run.code()).isEqualTo(3);
        assertThat(JsonTree.lines(run.out()))
                .extracting(line -> line.get("verdict"))
                .containsExactly("rejected", "holds");
        assertThat(Lake.open(lake).completeRuns()).hasSize(1);
        assertThat(CommandRun.rows(lake, "SELECT history_uri FROM runs"))
                .containsExactly(Map.of("history_uri", good.toString()));
    }

    @Test
    void rejectedHistoryAddsNothingToExistingLake() throws IOException {
        Path good = Files.writeString(folder.resolve("good.jsonl"), SmallFiles.GOOD_ROW);
        check(good);
        List<String> before = filesIn(lake);
        Path bad = Files.writeString(folder.resolve("bad.jsonl"), SmallFiles.GOOD_ROW + "not json\n");

        assertThat(check(bad).code()).isEqualTo(3);

        assertThat(filesIn(lake)).isEqualTo(before);
    }

    @Test
    void withoutJsonARejectedHistoryPrintsNoResult() throws IOException {
        Path bad = Files.writeString(folder.resolve("bad.jsonl"), "not json\n");

        CommandRun run = CommandRun.of("check", bad.toString(), "--lake", lake.toString());

        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.err()).startsWith("nightjar: [" + bad + " line=1] ");
    }

    @Test
    void unwritableLakeIsStorageFailure() throws IOException {
        Path good = Files.writeString(folder.resolve("good.jsonl"), SmallFiles.GOOD_ROW);
        Path readOnly = Files.createDirectory(folder.resolve("read-only"));
        Files.setPosixFilePermissions(readOnly, PosixFilePermissions.fromString("r-xr-xr-x"));
        assumeTrue(!Files.isWritable(readOnly), "this user may write everywhere: folder=" + readOnly);

        CommandRun run = CommandRun.of(
                "check", good.toString(), "--lake", readOnly.resolve("lake").toString());

        assertThat(run.code()).as("%s", run).isEqualTo(75);
        assertThat(run.err()).startsWith("nightjar: storage failed: ");
    }

    @Test
    void lakeBelowFileIsStorageFailure() throws IOException {
        Path good = Files.writeString(folder.resolve("good.jsonl"), SmallFiles.GOOD_ROW);

        CommandRun run = CommandRun.of(
                "check", good.toString(), "--lake", good.resolve("lake").toString());

        assertThat(run.code()).as("%s", run).isIn(64, 75);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).startsWith("nightjar: ").doesNotContain("\tat ");
    }

    // ---------------------------------------------------------------- helpers

    private CommandRun check(Path history, String... more) {
        return CommandRun.check(history, lake, more);
    }

    /** Code 3, one line of JSON and one on stderr with the same message, which begins with the location; no lake. */
    private CommandRun assertRejected(Path history, String location, String... messages) {
        CommandRun run = check(history);
        assertThat(run.code()).as("%s", run).isEqualTo(3);
        Map<String, Object> result = JsonTree.object(run.out());
        assertThat(result.keySet().stream().limit(4)).containsExactly("schema", "history", "verdict", "error");
        assertThat(result).containsEntry("verdict", "rejected").containsEntry("history", history.toString());
        assertThat(result.get("error")).asString().startsWith(location);
        for (String part : messages) {
            assertThat(result.get("error")).asString().contains(part);
        }
        assertThat(run.err()).isEqualTo("nightjar: " + result.get("error") + "\n");
        assertThat(lake).doesNotExist();
        return run;
    }

    private List<String> lintRules() {
        List<String> rules = new ArrayList<>();
        CommandRun.rows(lake, "SELECT rule_id FROM lint_findings")
                .forEach(row -> rules.add((String) row.get("rule_id")));
        return rules;
    }

    private static List<String> filesIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.map(Path::toString).sorted().toList();
        }
    }

    private static void write(Path file, List<HistorySlice> slices) throws IOException {
        try (HistoryWriter writer = Histories.create(file, null)) {
            for (HistorySlice slice : slices) {
                writer.write(slice);
            }
            writer.finish();
        }
    }

    private record Row(long id, long session, long seq, byte status, long start, long commit) {

        Row at(long newStart, long newCommit) {
            return new Row(id, session, seq, status, newStart, newCommit);
        }

        Row aborted() {
            return new Row(id, session, seq, TxnStatus.ABORTED, start, commit);
        }
    }

    private static Row txn(long id, long session, long seq) {
        return new Row(id, session, seq, TxnStatus.COMMITTED, 10 * id, 10 * id + 1);
    }

    /** Returns transactions that each write key 1, one after the other, in a session each. */
    private static List<HistorySlice> history(int txns) {
        Row[] rows = new Row[txns];
        for (int txn = 0; txn < txns; txn++) {
            rows[txn] = txn(txn + 1, txn, 0);
        }
        return rows(rows);
    }

    private static List<HistorySlice> rows(Row... rows) {
        SliceBuilder slice = new SliceBuilder("rows");
        slice.keysAreLongs();
        slice.valuesAreLongs();
        for (Row row : rows) {
            slice.beginTxn(slice.txnCount() + 1, row.id(), row.session(), row.seq());
            slice.status(row.status()).timestamps(row.start(), row.commit());
            slice.op(OpKind.WRITE, 1, row.id());
            slice.endTxn();
        }
        return List.of(slice.build());
    }
}
