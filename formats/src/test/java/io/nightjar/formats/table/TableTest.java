package io.nightjar.formats.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.fixtures.HistoryRows;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.SourceDiagnostic;
import io.nightjar.formats.registry.Histories;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TableTest {

    private static final String UUID_1 = "5c1d8d4e-0d4a-4f5e-a8c3-0a7d27c9b001";
    private static final String UUID_2 = "5c1d8d4e-0d4a-4f5e-a8c3-0a7d27c9b002";

    @TempDir
    Path folder;

    // ---------------------------------------------------------------- CSV

    @Test
    void aRowIsAnOperation() throws IOException {
        assertThat(csv("txn,session,op,key,value", "1,7,w,x,1", "1,7,r,y,", "2,8,r,x,1"))
                .containsExactly("s7 T1: w(x,1) r(y,_)", "s8 T2: r(x,1)");
    }

    @Test
    void columnsHaveAnyOfTheirUsualNames() throws IOException {
        assertThat(csv(
                        "Transaction_ID;Client;operation;object;val;outcome",
                        "1;7;WRITE;3;1;COMMITTED",
                        "2;7;Read;3;1;Aborted"))
                .containsExactly("s7 T1: w(3,1)", "s7 T2!: r(3,1)");
    }

    @Test
    void otherNamesAreMapped() throws IOException {
        Path file = file("a.csv", "id,who,what,obj,val", "1,7,w,x,1");

        assertThat(read(file, "auto:txn=id,session=who,op=what,key=obj")).containsExactly("s7 T1: w(x,1)");
    }

    @Test
    void positionsThatAreMissingInSomeTransactionsAreRemarkedOn() throws IOException {
        Path cut = file(
                "cut.csv",
                "txn,session,op_index,op,key,value",
                "1,7,1,w,x,1",
                "2,7,0,w,x,2",
                "3,7,0,w,x,3",
                "3,7,2,r,x,3",
                "4,7,0,r,x,3",
                "5,7,0,r,x,3");

        assertThat(remarksOf(cut)).singleElement().satisfies(remark -> {
            assertThat(remark.ruleId()).isEqualTo("L35");
            assertThat(remark.count()).isEqualTo(2);
            assertThat(remark.example()).isEqualTo("[" + cut + " line=2] txn_id=1");
        });
        assertThat(remarksOf(file("whole.csv", "txn,session,op_index,op,key,value", "1,7,1,w,x,1", "2,7,1,w,x,2")))
                .isEmpty();
    }

    private static List<SourceDiagnostic> remarksOf(Path file) throws IOException {
        try (HistorySource source = Histories.open(file, null)) {
            HistoryRows.of(source);
            return source.remarks();
        }
    }

    @Test
    void quotesTakeDelimitersQuotesAndLineEnds() throws IOException {
        assertThat(csv("txn,session,op,key,value", "1,7,w,\"a,b\",\"say \"\"hi\"\"\nthere\""))
                .containsExactly("s7 T1: w(\"a,b\",\"say \\\"hi\\\"\\nthere\")");
    }

    @Test
    void namesOfTransactionsAndSessionsBecomeOrdinals() throws IOException {
        assertThat(csv("txn,session,op,key,value", UUID_2 + ",c1,w,x,1", UUID_1 + ",c2,r,x,1", UUID_2 + ",c1,r,x,1"))
                .containsExactly(
                        "s1 T1: w(x,1) r(x,1) {\"txn\":\"" + UUID_2 + "\",\"session\":\"c1\"}",
                        "s2 T2: r(x,1) {\"txn\":\"" + UUID_1 + "\",\"session\":\"c2\"}");
    }

    @Test
    void integersThatADataFrameMadeFloatingAreIntegers() throws IOException {
        assertThat(csv(
                        "txn,session,op,key,value,start_ts,commit_ts",
                        "1.0,7.0,w,5,1.0,10.0,11.0",
                        "2.0,7.0,r,5,,12.0,"))
                .containsExactly("s7 T1 [10,11]: w(5,1)", "s7 T2 [12,_]: r(5,_)");
    }

    @Test
    void fractionsAreRefusedWhereIntegersAreNeeded() {
        assertThatThrownBy(() -> csv("txn,session,op,key,value", "1.5,7,w,x,1"))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessage("[%s line=2] not an integer: txn=1.5; give it as int64", folder.resolve("a.csv"));
        assertThatThrownBy(() -> csv("txn,session,op,key,value", "1,7,w,x,1", "1,7,w,y,1.5"))
                .hasMessageContaining("line=3] not an integer: value=1.5");
    }

    @Test
    void scatteredRowsAreGathered() throws IOException {
        assertThat(csv("txn,session,op,key,value", "1,7,w,x,1", "2,8,w,y,2", "1,7,w,z,3"))
                .containsExactly("s7 T1: w(x,1) w(z,3)", "s8 T2: w(y,2)");
    }

    @Test
    void operationsAreOrderedByTheirPosition() throws IOException {
        assertThat(csv("txn,session,op_index,op,key,value", "1,7,1,r,x,1", "1,7,0,w,x,1"))
                .containsExactly("s7 T1: w(x,1) r(x,1)");
    }

    @Test
    void seqCountsOperationsOrTransactions() throws IOException {
        assertThat(csv("txn,session,seq,op,key,value", "1,7,2,r,x,1", "1,7,1,w,x,1"))
                .containsExactly("s7 T1: w(x,1) r(x,1)");
        assertThat(csv("txn,session,seq,op,key,value", "1,7,5,w,x,1", "1,7,5,r,x,1"))
                .containsExactly("s7/5 T1: w(x,1) r(x,1)");
    }

    @Test
    void aTransactionWithoutItsOutcomeIsUnknownWhereOthersHaveOne() throws IOException {
        assertThat(csv(
                        "txn,session,op,key,value",
                        "1,7,begin,,",
                        "1,7,w,x,1",
                        "1,7,commit,,",
                        "2,7,w,x,2",
                        "3,7,w,x,3",
                        "3,7,ROLLBACK,,"))
                .containsExactly("s7 T1: w(x,1)", "s7 T2?: w(x,2)", "s7 T3!: w(x,3)");
    }

    @Test
    void rowsThatContradictEachOtherAreRefused() {
        assertThatThrownBy(() -> csv("txn,session,op,key,value,commit_ts", "1,7,w,x,1,10", "1,7,w,y,1,11"))
                .hasMessageContaining(
                        "line=3] rows of one transaction differ: commit=11 but commit=10 in an earlier row, txn=1");
    }

    @Test
    void tablesOfRowsArePrefixesOfKeys() throws IOException {
        assertThat(csv("txn,session,op,table,key,value", "1,7,w,t,5,1")).containsExactly("s7 T1: w(t/5,1)");
    }

    @Test
    void datesAreNanoseconds() throws IOException {
        assertThat(csv(
                        "txn,session,op,key,value,start_time,end_time",
                        "1,7,w,x,1,1970-01-01 00:00:01.5,1970-01-01T01:00:02+01:00"))
                .containsExactly("s7 T1 <1500000000,2000000000>: w(x,1)");
    }

    @Test
    void withoutSessionsEachTransactionHasItsOwn() throws IOException {
        assertThat(csv("txn,op,key,value", "1,w,x,1", "2,w,x,2")).containsExactly("s1 T1: w(x,1)", "s2 T2: w(x,2)");
    }

    @Test
    void missingColumnsAreNamedWithThoseThatAreThere() {
        assertThatThrownBy(() -> csv("id,session,op,key,value", "1,7,w,x,1"))
                .hasMessage(
                        "[%s] no column contains the txn of an operation: present=id,session,op,key,value;"
                                + " name it with --map txn=COLUMN",
                        folder.resolve("a.csv"));
    }

    @Test
    void faultyRowsHaveTheirLine() {
        assertThatThrownBy(() -> csv("txn,session,op,key,value", "1,7,w,x"))
                .hasMessageContaining("line=2] row has another number of cells than the header: cells=4 expected=5");
        assertThatThrownBy(() -> csv("txn,session,op,key,value", "1,7,w,x,1", "1,7,w,x,\"1"))
                .hasMessageContaining("line=3] quote without an end");
        assertThatThrownBy(() -> csv("txn,session,op,key,value", "1,7,frobnicate,x,1"))
                .hasMessageContaining("line=2] unknown operation: op=frobnicate");
        assertThatThrownBy(() -> csv("txn,session,op,key,value,status", "1,7,w,x,1,perhaps"))
                .hasMessageContaining("line=2] unknown status: status=perhaps");
    }

    @Test
    void badRowsCanBeSetAside() throws IOException {
        Path file = file("a.csv", "txn,session,op,key,value", "1,7,w,x,1", "2,7,zap,x,1", "3,7,w,y,1");
        List<String> bad = new ArrayList<>();
        try (HistorySource source = Histories.open(file, null)) {
            List<String> rows =
                    HistoryRows.of(HistoryRows.slices(source, (of, row, fault, raw) -> bad.add(row + " " + raw)));

            assertThat(rows).hasSize(2);
            assertThat(bad).containsOnly("3 2,7,zap,x,1");
        }
    }

    @Test
    void compressedFilesAreRead() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            out.write("txn\tsession\top\tkey\tvalue\n1\t7\tw\tx\t1\n".getBytes(StandardCharsets.UTF_8));
        }
        Path file = Files.write(folder.resolve("a.tsv.gz"), bytes.toByteArray());

        assertThat(read(file, null)).containsExactly("s7 T1: w(x,1)");
    }

    // ---------------------------------------------------------------- JSON

    @Test
    void everyShapeOfJsonIsATable() throws IOException {
        for (String json : new String[] {
            "{\"txn\":1,\"session\":7,\"op\":\"w\",\"key\":\"x\",\"value\":1}\n{\"txn\":1,\"session\":7,\"op\":\"r\",\"key\":\"x\",\"value\":1}\n",
            "[{\"txn\":1,\"session\":7,\"op\":\"w\",\"key\":\"x\",\"value\":1},\n{\"txn\":1,\"session\":7,\"op\":\"r\",\"key\":\"x\",\"value\":1}]",
            "{\"txn\":{\"0\":1,\"1\":1},\"session\":{\"0\":7.0,\"1\":7.0},\"op\":{\"0\":\"w\",\"1\":\"r\"},\"key\":{\"0\":\"x\",\"1\":\"x\"},\"value\":{\"0\":1.0,\"1\":1.0}}",
            "{\"txn\":[1,1],\"session\":[7,7],\"op\":[\"w\",\"r\"],\"key\":[\"x\",\"x\"],\"value\":[1,1]}",
            "{\"columns\":[\"txn\",\"session\",\"op\",\"key\",\"value\"],\"index\":[0,1],\"data\":[[1,7,\"w\",\"x\",1],[1,7,\"r\",\"x\",1]]}",
            "{\"0\":{\"txn\":1,\"session\":7,\"op\":\"w\",\"key\":\"x\",\"value\":1},\"1\":{\"txn\":1,\"session\":7,\"op\":\"r\",\"key\":\"x\",\"value\":1}}",
            "{\"schema\":{\"fields\":[{\"name\":\"index\"}]},\"data\":[{\"index\":0,\"txn\":1,\"session\":7,\"op\":\"w\",\"key\":\"x\",\"value\":1},"
                    + "{\"index\":1,\"txn\":1,\"session\":7,\"op\":\"r\",\"key\":\"x\",\"value\":1}]}"
        }) {
            Path file = Files.writeString(folder.resolve("a.json"), json);

            assertThat(read(file, null)).as(json).containsExactly("s7 T1: w(x,1) r(x,1)");
        }
    }

    @Test
    void trailingTextAfterTableIsRejected() throws IOException {
        for (String json : new String[] {
            "[{\"txn\":1,\"session\":7,\"op\":\"w\",\"key\":\"x\",\"value\":1}]",
            "{\"txn\":{\"0\":1},\"session\":{\"0\":7},\"op\":{\"0\":\"w\"},\"key\":{\"0\":\"x\"},\"value\":{\"0\":1}}",
            "{\"columns\":[\"txn\",\"session\",\"op\",\"key\",\"value\"],\"data\":[[1,7,\"w\",\"x\",1]],\"index\":[0]}",
            "{\"0\":{\"txn\":1,\"session\":7,\"op\":\"w\",\"key\":\"x\",\"value\":1}}",
            "{\"schema\":{},\"data\":[{\"txn\":1,\"session\":7,\"op\":\"w\",\"key\":\"x\",\"value\":1}],\"more\":{}}"
        }) {
            assertThat(read(Files.writeString(folder.resolve("a.json"), json + "\n \n"), "table"))
                    .as(json)
                    .containsExactly("s7 T1: w(x,1)");
            for (String suffix : new String[] {"\u0000\u00ff garbage {]", "\n" + json, "\n1", "]"}) {
                Path file = Files.writeString(folder.resolve("a.json"), json + suffix);

                assertThatThrownBy(() -> read(file, "table"))
                        .as(json + suffix)
                        .isInstanceOf(MalformedHistoryException.class)
                        .hasMessageMatching("(?s)\\[.*a.json.*at-line=\\d+ column=\\d+.*");
            }
        }
    }

    @Test
    void arraysAreListsWhereSomethingIsAppended() throws IOException {
        Path file = file(
                "a.json",
                "{\"txn\":1,\"session\":7,\"op\":\"append\",\"key\":\"x\",\"value\":1}",
                "{\"txn\":2,\"session\":7,\"op\":\"r\",\"key\":\"x\",\"value\":[1]}",
                "{\"txn\":3,\"session\":7,\"op\":\"r\",\"key\":\"y\",\"value\":null}");

        assertThat(read(file, null)).containsExactly("s7 T1: append(x,1)", "s7 T2: r(x,[1])", "s7 T3: r(y,_)");
    }

    @Test
    void trailingTextAfterListIsRejected() throws IOException {
        Path file = file("a.csv", "txn,session,op,key,value", "1,7,append,x,1", "2,7,r,x,\"[1] [2]\"");

        assertThatThrownBy(() -> read(file, null)).hasMessageContaining("line=3] unexpected text after the list");
    }

    @Test
    void valuesOfTwoTypesAreHeldAsJsonText() throws IOException {
        Path file = file(
                "a.json",
                "{\"txn\":1,\"session\":7,\"op\":\"w\",\"key\":\"x\",\"value\":1}",
                "{\"txn\":2,\"session\":7,\"op\":\"w\",\"key\":\"x\",\"value\":\"1\"}");

        assertThat(HistoryRows.at(file))
                .satisfiesExactly(row -> assertThat(row).contains("STRING<1>"), row -> assertThat(row)
                        .contains("STRING<\"1\">"));
    }

    @Test
    void jsonThatEndsInTheMiddleIsRejectedWithItsPlace() throws IOException {
        Path file = Files.writeString(
                folder.resolve("a.json"),
                "[{\"txn\":1,\"session\":7,\"op\":\"w\",\"key\":\"x\",\"value\":1},\n{\"txn\":2,");

        assertThatThrownBy(() -> read(file, "table"))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageMatching(
                        "\\[.*a.json row=2] not JSON: reason=Unexpected end-of-input.* at-line=2 column=\\d+");
    }

    // ---------------------------------------------------------------- other tools' files

    @Test
    void whatDuckDbWritesIsRead() throws Exception {
        String rows =
                "(VALUES (1, 7, 'w', 'x', 1), (1, 7, 'r', 'y', NULL), (2, 8, 'r', 'x', 1)) t(txn, session, op, key, value)";
        for (String target : new String[] {
            "a.parquet' (FORMAT parquet)",
            "b.json' (FORMAT json)",
            "c.json' (FORMAT json, ARRAY true)",
            "d.csv' (FORMAT csv)"
        }) {
            duckDb("COPY (SELECT * FROM " + rows + ") TO '" + folder + "/" + target);
            Path file = folder.resolve(target.substring(0, target.indexOf('\'')));

            assertThat(read(file, null)).as(target).containsExactly("s7 T1: w(x,1) r(y,_)", "s8 T2: r(x,1)");
        }
    }

    @Test
    void parquetWithFloatingAndUuidColumnsIsRead() throws Exception {
        duckDb("COPY (SELECT * FROM (VALUES ('" + UUID_1 + "'::UUID, 7.0::DOUBLE, 'W', 5, 1.0::DOUBLE, 'COMMITTED'),"
                + " ('" + UUID_2 + "'::UUID, 7.0, 'R', 5, NULL, 'COMMITTED')) t(txn, session, op, key, value, status))"
                + " TO '" + folder + "/a.parquet' (FORMAT parquet)");

        assertThat(read(folder.resolve("a.parquet"), null))
                .containsExactly(
                        "s7 T1: w(5,1) {\"txn\":\"" + UUID_1 + "\"}", "s7 T2: r(5,_) {\"txn\":\"" + UUID_2 + "\"}");
    }

    @Test
    void parquetWithFractionsIsRefusedWithItsRow() throws Exception {
        duckDb(
                "COPY (SELECT * FROM (VALUES (1, 7, 'w', 'x', 1.0::DOUBLE), (1, 7, 'w', 'y', 1.5)) t(txn, session, op, key, value))"
                        + " TO '" + folder + "/a.parquet' (FORMAT parquet)");

        assertThatThrownBy(() -> read(folder.resolve("a.parquet"), null))
                .hasMessageContaining("a.parquet row=2] not an integer: value=1.5");
    }

    @Test
    void timestampsOfParquetAreNanoseconds() throws Exception {
        for (String type : List.of("TIMESTAMP", "TIMESTAMP_MS", "TIMESTAMP_NS", "TIMESTAMPTZ")) {
            duckDb("SET TimeZone = 'UTC'; COPY (SELECT 1 AS txn, 7 AS session, 'w' AS op, 'x' AS key, 1 AS value,"
                    + " (TIMESTAMP '2026-01-01 00:00:01.25')::" + type + " AS commit_ts,"
                    + " TIMESTAMP '9999-12-31 00:00:00' AS valid_until) TO '" + folder
                    + "/a.parquet' (FORMAT parquet)");

            assertThat(read(folder.resolve("a.parquet"), null))
                    .as(type)
                    .containsExactly("s7 T1 [_,1767225601250000000]: w(x,1) {\"valid_until\":253402214400000000}");
        }
    }

    @Test
    void listsOfParquetAreNotPassedOverInSilence() throws Exception {
        duckDb("COPY (SELECT 1 AS txn, 7 AS session, 'r' AS op, 'x' AS key, 1 AS value, [1::BIGINT] AS elements)"
                + " TO '" + folder + "/a.parquet' (FORMAT parquet)");

        assertThatThrownBy(() -> read(folder.resolve("a.parquet"), null))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageContaining("a.parquet] column of lists")
                .hasMessageContaining("column=elements; give lists as JSON text");
    }

    @Test
    void aColumnThatWasAskedForIsNamedInParquetToo() throws Exception {
        duckDb("COPY (SELECT 1 AS a, 'w' AS b) TO '" + folder + "/a.parquet' (FORMAT parquet)");

        assertThatThrownBy(() -> read(folder.resolve("a.parquet"), "auto:txn=zz"))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageContaining("column missing: column=zz present=");
    }

    @Test
    void foldersOfPartitionsAreColumns() throws Exception {
        duckDb("COPY (SELECT * FROM (VALUES (1, 7, 'w', 'x', 1), (2, 8, 'r', 'x', 1)) t(txn, session, op, key, value))"
                + " TO '" + folder + "/h' (FORMAT parquet, PARTITION_BY (session))");

        assertThat(read(folder.resolve("h"), null)).containsExactly("s7 T1: w(x,1)", "s8 T2: r(x,1)");
    }

    @Test
    void whatIsWrittenAsATableIsReadAgain() throws IOException {
        List<String> rows = List.of(
                "s7 T1 [1,2] <3,4>: w(x,\"1\")@5 r(y,_)<-T9",
                "s7 T2!:",
                "s8 T3?: append(x,\"a,\\\"b\") r(x,[\"a\",\"1\"])");
        Path source = Files.write(folder.resolve("a.txt"), rows);
        Path table = folder.resolve("b.csv");
        try (HistorySource from = Histories.open(source, null);
                HistoryWriter to = Histories.create(table, null)) {
            HistoryRows.slices(from, BadRowHandler.REJECT).forEach(slice -> write(to, slice));
            to.finish();
        }

        HistoryRows.assertSame("table", HistoryRows.at(table), HistoryRows.at(source));
    }

    private static void write(HistoryWriter writer, io.nightjar.formats.history.HistorySlice slice) {
        try {
            writer.write(slice);
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    private void duckDb(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private List<String> csv(String... lines) throws IOException {
        return read(file("a.csv", lines), null);
    }

    private Path file(String name, String... lines) throws IOException {
        return Files.write(folder.resolve(name), List.of(lines));
    }

    /**
     * Returns the history in notation, one line per transaction; positions in sessions are omitted if they count from
     * 0.
     */
    private List<String> read(Path file, String format) throws IOException {
        Path out = folder.resolve("out.txt");
        try (HistorySource source = Histories.open(file, format);
                HistoryWriter writer = Histories.create(out, null)) {
            HistoryRows.slices(source, BadRowHandler.REJECT).forEach(slice -> write(writer, slice));
            writer.finish();
        }
        return Files.readAllLines(out);
    }
}
