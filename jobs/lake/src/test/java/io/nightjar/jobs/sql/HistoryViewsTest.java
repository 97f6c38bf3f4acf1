package io.nightjar.jobs.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.jobs.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryViewsTest {

    @TempDir
    Path folder;

    private Path history;

    /** A history as another tool may write it: small types, columns missing. */
    @BeforeEach
    void writeHistory() {
        history = folder.resolve("it's [1].parquet");
        try (SqlSession session = SqlSession.open(null)) {
            session.run(
                    "COPY (SELECT 1 AS txn_id, 0 AS session_id, 0 AS session_seq, 'committed' AS status, [{'kind': 'w', 'key': 'x', 'value': 1::INT}] AS ops)"
                            + " TO " + LakeViews.literal(history.toString()),
                    new CollectedRows());
        }
    }

    @Test
    void historyHasColumnsThatItsFileOmits() {
        try (SqlSession session = SqlSession.open(null)) {
            CollectedRows rows = CollectedRows.of(session, "FROM " + call());

            assertThat(rows.columns)
                    .containsExactly(
                            "txn_id",
                            "session_id",
                            "session_seq",
                            "status",
                            "start_ts",
                            "commit_ts",
                            "invoke_ns",
                            "complete_ns",
                            "ops",
                            "extra");
            assertThat(rows.rows).hasSize(1);
        }
    }

    @Test
    void operationsHaveAllFields() {
        try (SqlSession session = SqlSession.open(null)) {
            CollectedRows rows = CollectedRows.of(session, "SELECT unnest(ops, max_depth := 2) FROM " + call());

            assertThat(rows.columns)
                    .containsExactly(
                            "kind",
                            "key",
                            "value",
                            "elements",
                            "version",
                            "writer_txn",
                            "predicate",
                            "params",
                            "rows",
                            "read_ts",
                            "done",
                            "result",
                            "limit",
                            "order");
            assertThat(rows.rows.get(0).subList(0, 3)).isEqualTo(List.of("w", "x", 1L));
        }
    }

    @Test
    void aHistoryIsUsedSeveralTimesInAQuery() {
        try (SqlSession session = SqlSession.open(null)) {
            CollectedRows rows = CollectedRows.of(
                    session,
                    "SELECT history.txn_id, count(*) FROM " + call() + " JOIN " + call()
                            + " other USING (txn_id) GROUP BY ALL; SELECT count(*) FROM " + call());

            assertThat(rows.rows).containsExactly(List.of(1L, 1L), List.of(1L));
        }
    }

    @Test
    void aHistoryInJsonLinesIsATableToo() throws IOException {
        Path lines = folder.resolve("orders.jsonl");
        Files.writeString(
                lines,
                """
                {"txn":1,"session":0,"seq":0,"start":10,"commit":12,"ops":[["w","x",1],["r","y",null]],"node":"n1"}
                {"txn":2,"session":1,"seq":0,"status":"aborted","ops":[["append","l",7],["r","l",[3,7]]]}
                """);
        try (SqlSession session = SqlSession.open(null)) {
            CollectedRows rows = CollectedRows.of(
                    session,
                    "SELECT txn_id, status, start_ts, extra, unnest(ops, max_depth := 2) FROM history('" + lines
                            + "')");

            assertThat(rows.rows.stream().map(Object::toString))
                    .containsExactly(
                            "[1, committed, 10, {\"node\":\"n1\"}, w, x, 1, null, null, null, null, null, null, null, null, null, null, null]",
                            "[1, committed, 10, {\"node\":\"n1\"}, r, y, null, null, null, null, null, null, null, null, null, null, null, null]",
                            "[2, aborted, null, null, append, l, 7, null, null, null, null, null, null, null, null, null, null, null]",
                            "[2, aborted, null, null, r, l, null, [3, 7], null, null, null, null, null, null, null, null, null, null]");
        }
    }

    @Test
    void predicateReadsOfAnotherFormatAreThere() throws IOException {
        Path notation = Files.writeString(
                folder.resolve("shifts.txt"), "s0 T1: w(t/1,'{\"c\":5}')\ns1 T2: p[t](\"c > 2\",[],0) d(t/1)\n");
        try (SqlSession session = SqlSession.open(null)) {
            CollectedRows rows = CollectedRows.of(
                    session,
                    "SELECT kind, key, predicate FROM (SELECT unnest(ops, max_depth := 2) FROM history('" + notation
                            + "'))");

            assertThat(rows.rows.stream().map(Object::toString))
                    .containsExactly("[w, t/1, null]", "[p, t, c > 2]", "[d, t/1, null]");
        }
    }

    @Test
    void theFormatCanBeNamed() throws IOException {
        Path file = Files.writeString(folder.resolve("orders.data"), "s1 T1 [10,12]: w(x,1)\n");
        try (SqlSession session = SqlSession.open(null)) {
            assertThat(CollectedRows.of(session, "SELECT commit_ts FROM history('" + file + "', 'notation')").rows)
                    .containsExactly(List.of(12L));
            assertThatThrownBy(() -> CollectedRows.of(session, "FROM history('" + file + "', 'fressian')"))
                    .isInstanceOf(UsageException.class)
                    .hasMessageStartingWith("unknown format: format=fressian");
        }
    }

    @Test
    void aFolderOfPartsIsOneHistory() throws IOException {
        Path parts = Files.createDirectories(folder.resolve("parts"));
        Files.copy(history, parts.resolve("part-0.parquet"));
        Files.copy(history, parts.resolve("part-1.parquet"));
        Files.writeString(parts.resolve("_SUCCESS"), "");
        try (SqlSession session = SqlSession.open(null)) {
            assertThat(CollectedRows.of(session, "SELECT count(*) FROM history('" + parts + "')").rows)
                    .containsExactly(List.of(2L));
        }
    }

    @Test
    void aFileThatIsNoHistoryIsRejected() throws IOException {
        Path torn = Files.writeString(folder.resolve("torn.jsonl"), "{\"txn\":1,");
        try (SqlSession session = SqlSession.open(null)) {
            session.run("COPY (SELECT 1 AS a) TO '" + folder + "/other.parquet'", new CollectedRows());

            assertThatThrownBy(() -> CollectedRows.of(session, "FROM history('" + torn + "')"))
                    .isInstanceOf(MalformedHistoryException.class);
            assertThatThrownBy(() -> CollectedRows.of(session, "FROM history('" + folder + "/other.parquet')"))
                    .isInstanceOf(MalformedHistoryException.class);
        }
    }

    @Test
    void aMissingHistoryIsWrongUsage() {
        try (SqlSession session = SqlSession.open(null)) {
            assertThatThrownBy(() -> CollectedRows.of(session, "FROM history('nope.parquet')"))
                    .isInstanceOf(UsageException.class)
                    .hasMessage("[nope.parquet] no such history: called-as=history('nope.parquet')");
        }
    }

    @Test
    void messagesNameTheHistoryAndNotOurView() {
        try (SqlSession session = SqlSession.open(null)) {
            assertThatThrownBy(() -> CollectedRows.of(session, "SELECT nope FROM " + call()))
                    .isInstanceOf(UsageException.class)
                    .hasMessageNotContaining("nightjar_history_");
        }
    }

    private String call() {
        return "history(" + LakeViews.literal(history.toString()) + ")";
    }
}
