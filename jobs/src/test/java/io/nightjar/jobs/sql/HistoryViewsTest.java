package io.nightjar.jobs.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.jobs.UsageException;
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
                    "COPY (SELECT 1 AS txn_id, 'committed' AS status, [{'kind': 'w', 'key': 'x', 'value': 1::INT}] AS ops)"
                            + " TO " + LakeViews.literal(history.toString()),
                    new Rows());
        }
    }

    @Test
    void aHistoryHasAllColumnsAlsoThoseItsFileLeavesOut() {
        try (SqlSession session = SqlSession.open(null)) {
            Rows rows = Rows.of(session, "FROM " + call());

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
            Rows rows = Rows.of(session, "SELECT unnest(ops, max_depth := 2) FROM " + call());

            assertThat(rows.columns).containsExactly("kind", "key", "value", "elements", "version", "writer_txn");
            assertThat(rows.rows.get(0).subList(0, 3)).isEqualTo(List.of("w", "x", 1L));
        }
    }

    @Test
    void aHistoryIsUsedSeveralTimesInAQuery() {
        try (SqlSession session = SqlSession.open(null)) {
            Rows rows = Rows.of(
                    session,
                    "SELECT history.txn_id, count(*) FROM " + call() + " JOIN " + call()
                            + " other USING (txn_id) GROUP BY ALL; SELECT count(*) FROM " + call());

            assertThat(rows.rows).containsExactly(List.of(1L, 1L), List.of(1L));
        }
    }

    @Test
    void aMissingHistoryIsWrongUsage() {
        try (SqlSession session = SqlSession.open(null)) {
            assertThatThrownBy(() -> Rows.of(session, "FROM history('nope.parquet')"))
                    .isInstanceOf(UsageException.class)
                    .hasMessage("[nope.parquet] no such history: called-as=history('nope.parquet')");
        }
    }

    @Test
    void messagesNameTheHistoryAndNotOurView() {
        try (SqlSession session = SqlSession.open(null)) {
            assertThatThrownBy(() -> Rows.of(session, "SELECT nope FROM " + call()))
                    .isInstanceOf(UsageException.class)
                    .hasMessageNotContaining("nightjar_history_");
        }
    }

    private String call() {
        return "history(" + LakeViews.literal(history.toString()) + ")";
    }
}
