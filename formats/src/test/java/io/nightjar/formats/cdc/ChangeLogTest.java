package io.nightjar.formats.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.fixtures.HistoryRows;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.SourceDiagnostic;
import io.nightjar.formats.registry.Histories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChangeLogTest {

    private static final Path SAMPLES = Path.of("../datasets/samples");

    private static final String GTID = "3e11fa47-71ca-11e1-9e33-c80aa9429562";

    @TempDir
    Path folder;

    private List<SourceDiagnostic> remarks = List.of();

    // ---------------------------------------------------------------- PostgreSQL

    @Test
    void testDecodingGivesTransactionsInTheOrderOfCommits() throws IOException {
        assertThat(read(SAMPLES.resolve("test-decoding.log"), "auto:value=v,key=k", 1))
                .containsExactly(
                        "s781 T781 [_,1]: w(1,10)@1 w(2,20)@1 {\"commit_time\":\"2026-11-20 09:15:28.123456+00\"}",
                        "s783 T783 [_,2]: w(1,30)@2 {\"commit_time\":\"2026-11-20 09:15:28.123459+00\"}",
                        "s782 T782 [_,3]: d(2)@2 w(3,21)@1 d(1)@3 {\"commit_time\":\"2026-11-20 09:15:29.5+00\"}");
    }

    @Test
    void rowsAreCanonicalJsonUnderTheirTableAndKey() throws IOException {
        assertThat(lines(
                        "BEGIN 5",
                        "table public.\"Order\": INSERT: id[uuid]:'a-b' note[text]:'it''s [x]: y' total[numeric]:1.50 n[integer]:null",
                        "COMMIT 5"))
                .containsExactly(
                        "s5 T5 [_,1]: w(public.Order/a-b,\"{\\\"id\\\":\\\"a-b\\\",\\\"n\\\":null,\\\"note\\\":\\\"it's [x]: y\\\",\\\"total\\\":\\\"1.50\\\"}\")@1");
        assertThat(remarks).extracting(SourceDiagnostic::ruleId).containsExactly("L31");
    }

    @Test
    void theResultOfAQueryIsReadWithItsColumns() throws IOException {
        assertThat(lines(
                        "    lsn    | xid |                    data",
                        "-----------+-----+--------------------------------------------",
                        " 0/16B2A88 |   5 | BEGIN 5",
                        " 0/16B2A88 |   5 | table public.t: DELETE: id[integer]:7",
                        " 0/16B2B00 |   5 | COMMIT 5",
                        "(3 rows)"))
                .containsExactly("s5 T5 [_,1]: d(public.t/7)@1");
    }

    @Test
    void aLogThatIsCutHasUnknownTransactionsAtItsEnds() throws IOException {
        assertThat(lines("table t: INSERT: id[integer]:1", "COMMIT 4", "BEGIN 5", "table t: INSERT: id[integer]:2"))
                .containsExactly("s-1 T-1?: w(t/1,\"{\\\"id\\\":1}\")", "s5 T5?: w(t/2,\"{\\\"id\\\":2}\")");
        assertThat(remarks).extracting(SourceDiagnostic::ruleId).contains("L35");
    }

    @Test
    void aTransactionThatAnotherOneBeginsBehindHasBeenCut() throws IOException {
        assertThat(lines(
                        "BEGIN 4",
                        "table t: INSERT: id[integer]:1",
                        "BEGIN 5",
                        "table t: INSERT: id[integer]:2",
                        "COMMIT 5"))
                .containsExactly("s4 T4?: w(t/1,\"{\\\"id\\\":1}\")", "s5 T5 [_,1]: w(t/2,\"{\\\"id\\\":2}\")@1");
        assertThat(remarks).extracting(SourceDiagnostic::ruleId).contains("L35");
    }

    @Test
    void quotedValuesGoOnInTheNextLines() throws IOException {
        String change = "table public.t: INSERT: id[integer]:1 \"o'k\"[text]:'a \n\nCOMMIT 5\nb''\"c' w[text]:'d\ne'";
        String row =
                "s5 T5 [_,1]: w(public.t/1,\"{\\\"id\\\":1,\\\"o'k\\\":\\\"a \\\\n\\\\nCOMMIT 5\\\\nb'\\\\\\\"c\\\",\\\"w\\\":\\\"d\\\\ne\\\"}\")@1";

        assertThat(lines("BEGIN 5", change, "COMMIT 5")).containsExactly(row);
        assertThat(lines("0/16B2A88|5|BEGIN 5", "0/16B2A88|5|" + change, "0/16B2B00|5|COMMIT 5"))
                .containsExactly(row);
        assertThat(lines(
                        "lsn,xid,data",
                        "0/16B2A88,5,BEGIN 5",
                        "0/16B2A88,5,\"" + change.replace("\"", "\"\"") + "\"",
                        "0/16B2B00,5,COMMIT 5"))
                .containsExactly(row);
        assertThatThrownBy(() -> lines("0/16B2A88,5,BEGIN 5", "0/16B2A88,5,\"table t: INSERT: a[text]:'b", "'"))
                .hasMessageContaining("line=2] unexpected text: expected=a closing quote column=13");
    }

    @Test
    void aQuoteWithoutAnEndHasItsLine() {
        assertThatThrownBy(() -> lines("BEGIN 5", "table t: INSERT: id[integer]:1 v[text]:'a", "COMMIT 5"))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessage("[%s line=2] unexpected text: expected=a closing quote column=41", folder.resolve("a.log"));
        assertThatThrownBy(() -> lines(
                        "BEGIN 5",
                        " 0/16B2A88 |   5 | table t: INSERT: id[integer]:1 v[text]:'a   +",
                        "           |     | b'",
                        "COMMIT 5"))
                .hasMessageContaining("line=2] unexpected text: expected=a closing quote;")
                .hasMessageContaining("psql -At");
    }

    @Test
    void aTransactionOfWal2JsonWithoutItsBeginningHasBeenCut() throws IOException {
        List<String> lines = Files.readAllLines(SAMPLES.resolve("wal2json-v2.json"));

        assertThat(lines(lines.subList(2, lines.size()).toArray(String[]::new)))
                .first(InstanceOfAssertFactories.STRING)
                .startsWith("s781 T781?: w(public.kv/2,");
        assertThat(remarks).extracting(SourceDiagnostic::ruleId).contains("L35");
    }

    /** Server output for rows with misleading contents, printed by three plug-ins. */
    @Test
    void irregularRowsAreEqualInAllPostgresLogs() throws IOException {
        List<String> decoded = read(SAMPLES.resolve("test-decoding-odd.log"), "test-decoding");
        List<String> version1 = read(SAMPLES.resolve("wal2json-v1-odd.json"), "wal2json");
        List<String> version2 = read(SAMPLES.resolve("wal2json-v2-odd.json"), "wal2json");

        assertThat(decoded).hasSize(15);
        assertThat(version1).as("with the transaction of a message").hasSize(16).isEqualTo(version2);
        assertThat(keysOf(decoded)).isEqualTo(keysOf(version2));
        assertThat(unescaped(decoded.get(0))).contains("it's a \\\"quote\\\"\\nnew line\\ttab \\\\ back");
        assertThat(unescaped(version1.get(0))).contains("it's a \\\"quote\\\"\\nnew line\\ttab \\\\ back");
    }

    /** Returns the values of a row in notation as JSON. */
    private static String unescaped(String row) {
        return row.replaceAll("\\\\(.)", "$1");
    }

    /**
     * Topics without preprocessing: one contains only messages of logical decoding, and a large unchanged value is not
     * sent again.
     */
    @Test
    void debeziumTopicsContainTheSame() throws IOException {
        List<String> events = read(SAMPLES.resolve("debezium-postgresql-odd"), null);
        assertThat(remarks).extracting(SourceDiagnostic::ruleId).containsExactly("L31");
        List<List<String>> decoded = keysOf(read(SAMPLES.resolve("test-decoding-odd.log"), "test-decoding"));
        List<List<String>> fromEvents = keysOf(events);
        for (List<List<String>> each : List.of(fromEvents, decoded)) {
            // without keys of messages the first column is the key, and Debezium did not read one table
            each.removeIf(ops -> ops.get(0).matches(".*(Odd Name|fullid|nokey).*"));
        }

        assertThat(fromEvents).hasSize(12).isEqualTo(decoded);
        assertThat(events).noneMatch(row -> row.contains("unavailable"));
    }

    /** Returns the operations without their values, of transactions that have any. */
    private static List<List<String>> keysOf(List<String> rows) {
        List<List<String>> keys = new ArrayList<>();
        for (String row : rows) {
            List<String> ofRow = new ArrayList<>();
            Matcher op = Pattern.compile(" [wd]\\((\"(?:[^\"\\\\]|\\\\.)*\"|[^,)]*)[^@]*?\\)@(\\d+)")
                    .matcher(row);
            while (op.find()) {
                ofRow.add(op.group(1) + "@" + op.group(2));
            }
            if (!ofRow.isEmpty()) {
                keys.add(ofRow);
            }
        }
        return keys;
    }

    /** A message outside of transactions is a separate object of wal2json, which has no id. */
    @Test
    void messagesAreNoTransactions() throws IOException {
        assertThat(lines(
                        "{\"xid\":5,\"change\":[{\"kind\":\"message\",\"transactional\":true,\"prefix\":\"p\",\"content\":\"c\"}]}",
                        "{\"change\":[{\"kind\":\"message\",\"transactional\":false,\"prefix\":\"p\",\"content\":\"c\"}]}",
                        "{\"xid\":6,\"change\":[{\"kind\":\"insert\",\"schema\":\"public\",\"table\":\"t\",\"columnnames\":[\"id\"],"
                                + "\"columntypes\":[\"integer\"],\"columnvalues\":[1]}]}"))
                .containsExactly("s5 T5 [_,1]:", "s6 T6 [_,2]: w(public.t/1,\"{\\\"id\\\":1}\")@1");
    }

    @Test
    void objectsThatGoOnInTheNextLineAreRefusedWithWhatToDo() {
        assertThatThrownBy(() -> lines("{", "\t\"xid\": 5,", "\t\"change\": []", "}"))
                .hasMessageContaining("line=1] not JSON")
                .hasMessageContaining("an object occupies one line; print it without pretty-print");
    }

    @Test
    void twoObjectsOnALineAreRefusedWhereOneIsExpected() {
        String begin = "{\"action\":\"B\",\"xid\":1}";

        assertThatThrownBy(() -> lines(begin + begin, "{\"action\":\"C\",\"xid\":1}"))
                .hasMessageContaining("line=1] unexpected text after the value on its line");
    }

    @Test
    void bothVersionsOfWal2JsonAreRead() throws IOException {
        List<String> first = read(SAMPLES.resolve("wal2json-v1.json"), null);

        assertThat(first)
                .hasSize(3)
                .contains(
                        "s783 T783 [_,2]: w(public.kv/1,'{\"k\":1,\"v\":30}')@2 {\"commit_time\":\"2026-11-20 09:15:28.123459+00\"}");
        assertThat(read(SAMPLES.resolve("wal2json-v2.json"), null)).startsWith(first.get(0), first.get(1));
    }

    @Test
    void truncatedTablesAreRefused() {
        assertThatThrownBy(() -> lines("BEGIN 5", "table public.t: TRUNCATE: (no-flags)", "COMMIT 5"))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessage(
                        "[%s line=2] TRUNCATE names no rows: table=public.t; delete the rows instead",
                        folder.resolve("a.log"));
    }

    // ---------------------------------------------------------------- Debezium

    @Test
    void debeziumsTransactionsAreOrderedByTheLsnOfTheirEnds() throws IOException {
        assertThat(read(SAMPLES.resolve("debezium-postgresql"), "auto:key=k,value=v"))
                .containsExactly(
                        "s781 T781 [_,1]: w(1,10)@1 w(2,20)@1",
                        "s783 T783 [_,2]: w(1,30)@2",
                        "s782 T782 [_,3]: w(2,21)@2 d(1)@3");
        assertThat(remarks).isEmpty();
    }

    @Test
    void mySqlsThreadsAreSessions() throws IOException {
        assertThat(read(SAMPLES.resolve("debezium-mysql.json"), null))
                .contains("s8 T2 [_,2]: w(shop.kv/1,'{\"k\":1,\"v\":30}')@2 {\"txn\":\"" + GTID + ":24\"}");
    }

    @Test
    void eventsThatAreMissingAreCounted() throws IOException {
        String event =
                "{\"before\":null,\"after\":{\"id\":1},\"source\":{\"schema\":\"p\",\"table\":\"t\",\"txId\":7,\"lsn\":10},\"op\":\"c\","
                        + "\"transaction\":{\"id\":\"7:10\",\"total_order\":1,\"data_collection_order\":1}}";

        assertThat(lines(
                        event,
                        event,
                        "{\"status\":\"END\",\"id\":\"7:20\",\"event_count\":2,\"data_collections\":null}"))
                .containsExactly("s7 T7 [_,1]: w(p.t/1,\"{\\\"id\\\":1}\")@1");
        assertThat(remarks).extracting(SourceDiagnostic::ruleId).containsExactly("L10", "L32", "L31");
        assertThat(remarks.get(0).example()).isEqualTo("txn_id=7 events=1 expected=2");
    }

    @Test
    void rowsOfTheSnapshotAreOneTransactionInFront() throws IOException {
        String row =
                "{\"before\":null,\"after\":{\"id\":%d},\"source\":{\"table\":\"t\",\"txId\":%d,\"lsn\":%d},\"op\":\"%s\"}";

        assertThat(lines(row.formatted(1, 5, 5, "r"), row.formatted(2, 5, 5, "r"), row.formatted(1, 6, 9, "u")))
                .containsExactly(
                        "s0 T0 [_,1]: w(t/1,\"{\\\"id\\\":1}\")@1 w(t/2,\"{\\\"id\\\":2}\")@1",
                        "s6 T6 [_,2]: w(t/1,\"{\\\"id\\\":1}\")@2");
    }

    // ---------------------------------------------------------------- MySQL, MariaDB

    @Test
    void binaryLogsHaveTheirConnectionsAsSessions() throws IOException {
        assertThat(read(SAMPLES.resolve("mysqlbinlog.txt"), null))
                .hasSize(2)
                .first()
                .isEqualTo(
                        "s7 T1 [_,1]: w(shop.kv/1,'{\"@1\":1,\"@2\":10}')@1 w(shop.kv/2,'{\"@1\":2,\"@2\":20}')@1 {\"txn\":\""
                                + GTID + ":23\"}");
        assertThat(read(SAMPLES.resolve("mariadb-binlog.txt"), "auto:key=@1,value=@2"))
                .containsExactly(
                        "s31 T1 [_,1]: w(1,10)@1 {\"txn\":\"0-1-1\"}", "s32 T2 [_,2]: w(1,30)@2 {\"txn\":\"0-1-2\"}");
    }

    @Test
    void whatIsNoBinaryLogIsNotAnEmptyOne() throws IOException {
        for (String other : List.of("table.csv", "test-decoding.log", "format.edn", "wal2json-v2.json")) {
            assertThatThrownBy(() -> read(SAMPLES.resolve(other), "mysqlbinlog"))
                    .isInstanceOf(MalformedHistoryException.class)
                    .hasMessageStartingWith("[" + SAMPLES.resolve(other))
                    .hasMessageContaining("not a binary log");
        }
    }

    @Test
    void aBinaryLogWhoseRowsAreNotShownIsRefused() throws IOException {
        String at = "#261120  9:15:28 server id 1  end_log_pos 306 CRC32 0x7a4d9a2c ";
        assertThatThrownBy(() -> binlog("# at 4", "BEGIN", "/*!*/;", "insert into kv values (1, 10)", "COMMIT/*!*/;"))
                .hasMessage(
                        "[%s line=4] statement instead of rows: text=insert into kv values (1, 10);"
                                + " set binlog_format=ROW",
                        folder.resolve("a.log"));
        assertThatThrownBy(() -> binlog(
                        "# at 4",
                        "BEGIN",
                        "# at 9",
                        at + "\tWrite_rows: table id 108 flags: STMT_END_F",
                        "COMMIT/*!*/;"))
                .hasMessageContaining("line=5] transaction without its rows: mysqlbinlog shows them with -v");
        assertThatThrownBy(() -> binlog("# at 4", "truncate table kv", "/*!*/;"))
                .hasMessageContaining("line=2] TRUNCATE names no rows");
    }

    private List<String> binlog(String... lines) throws IOException {
        return read(Files.write(folder.resolve("a.log"), List.of(lines)), "mysqlbinlog");
    }

    /** Output of MariaDB 10.11, which does not escape quotes, backticks and backslashes. */
    @Test
    void textsOfMariaDbMayHoldAnything() throws IOException {
        List<String> rows = read(SAMPLES.resolve("mariadb-binlog-odd.txt"), "mysqlbinlog");

        assertThat(rows).hasSize(10);
        assertThat(unescaped(rows.get(0)))
                .contains("it's a \\\"quote\\\"\\nnew line\\ttab \\\\ back", "\"@4\":\"0x00ff\"");
        assertThat(rows.get(2)).contains("COMMIT\\n### INSERT INTO `test`.`types`\\n### SET\\n###   @1=77");
        assertThat(rows.get(4)).contains("w(\"test.od`d na.me/k'1 /* x */\"");
        assertThat(rows.get(9)).contains("T10?:"); // a distributed transaction, whose end is in another part of the log
    }

    /** MySQL 5.7 prints numbers for quotes and backslashes, MySQL 8 a backslash before them. */
    @ParameterizedTest
    @ValueSource(strings = {"it\\x27s \\x5c and \\x0a", "it\\'s \\\\ and \\n"})
    void quotesOfMySqlAreEscaped(String printed) throws IOException {
        for (String type : List.of("", " /* VARSTRING(80) meta=80 nullable=1 is_null=0 */")) {
            assertThat(binlog(
                            "# at 4",
                            "BEGIN",
                            "/*!*/;",
                            "### INSERT INTO `d`.`t`",
                            "### SET",
                            "###   @1=1" + type.replaceAll("VARSTRING.* meta", "INT meta"),
                            "###   @2='" + printed + "'" + type,
                            "COMMIT/*!*/;"))
                    .singleElement()
                    .asString()
                    .contains("{\\\"@1\\\":1,\\\"@2\\\":\\\"it's \\\\\\\\ and \\\\n\\\"}");
        }
        assertThatThrownBy(() -> binlog("# at 4", "BEGIN", "### INSERT INTO `d`.`t`", "### SET", "###   @1='a' b"))
                .hasMessageContaining("text without a closing quote");
    }

    // ---------------------------------------------------------------- CockroachDB, TiDB

    @Test
    void changefeedsAreOrderedByTheirHybridClock() throws IOException {
        assertThat(read(SAMPLES.resolve("cockroach"), "auto:key=k,value=v"))
                .extracting(row -> row.substring(0, row.indexOf(" {")))
                .containsExactly("s1 T1 [_,1]: w(1,10)@1 w(2,20)@1", "s2 T2 [_,2]: w(1,30)@2", "s3 T3 [_,3]: d(2)@2");
        assertThat(read(SAMPLES.resolve("cockroach"), null)).last().asString().startsWith("s3 T3 [_,3]: d(kv/2)@2");
        assertThat(remarks).extracting(SourceDiagnostic::ruleId).containsExactly("L32", "L31");
    }

    @Test
    void tiDbsVersionsHaveBothTimestamps() throws IOException {
        assertThat(read(SAMPLES.resolve("tidb-mvcc.json"), null))
                .anyMatch(row -> row.startsWith(
                        "s445500000000000010 T445500000000000010 [445500000000000010,445500000000000014]: w("))
                .contains("s445500000000000011 T445500000000000011! [445500000000000011,_]:");
    }

    // ---------------------------------------------------------------- input errors

    @Test
    void whatIsNoEventIsRefusedWithItsLine() {
        assertThatThrownBy(() -> lines("BEGIN 5", "hello there", "COMMIT 5"))
                .hasMessageContaining("a.log line=2] neither BEGIN, COMMIT nor a change of a table: text=hello there");
        assertThatThrownBy(() -> lines("BEGIN 5", "table t: INSERT: id[integer]:'1", "COMMIT 5"))
                .hasMessageContaining("line=2] unexpected text: expected=a closing quote column=");
    }

    @Test
    void logsOfChangesAreNotWritten() {
        assertThatThrownBy(() -> Histories.create(folder.resolve("a.json"), "debezium"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("format is read and not written: format=debezium expected=parquet|");
    }

    private List<String> lines(String... lines) throws IOException {
        return read(Files.write(folder.resolve("a.log"), List.of(lines)), null);
    }

    private List<String> read(Path file, String format) throws IOException {
        return read(file, format, 0);
    }

    /** Returns the history in notation, one line per transaction. */
    private List<String> read(Path file, String format, int badRows) throws IOException {
        Path out = folder.resolve("out.txt");
        List<String> bad = new ArrayList<>();
        BadRowHandler handler = badRows == 0 ? BadRowHandler.REJECT : (of, row, fault, raw) -> bad.add(fault.text());
        try (HistorySource source = Histories.open(file, format);
                HistoryWriter writer = Histories.create(out, null)) {
            for (HistorySlice slice : HistoryRows.slices(source, handler)) {
                writer.write(slice);
            }
            writer.finish();
            assertThat(source.remarks())
                    .filteredOn(remark -> remark.doubt() != null)
                    .extracting(SourceDiagnostic::ruleId)
                    .containsExactly("L12");
            remarks = source.remarks().stream()
                    .filter(remark -> remark.doubt() == null)
                    .toList();
        }
        assertThat(bad.stream().distinct()).hasSizeLessThanOrEqualTo(badRows);
        return Files.readAllLines(out);
    }
}
