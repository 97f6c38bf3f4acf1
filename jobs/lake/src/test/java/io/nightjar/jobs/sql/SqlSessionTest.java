package io.nightjar.jobs.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.lake.LakeException;
import io.nightjar.jobs.lake.LakeFixtures;
import io.nightjar.jobs.lake.LakeTable;
import io.nightjar.jobs.lake.LevelDefinitions;
import io.nightjar.jobs.lake.StoredRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqlSessionTest {

    @TempDir
    Path folder;

    @Test
    void missingLakeHasEmptyTablesWithColumns() {
        try (SqlSession session = SqlSession.open(null)) {
            for (LakeTable table : LakeTable.values()) {
                CollectedRows rows = CollectedRows.of(session, "FROM " + table.tableName());

                assertThat(rows.columns).isEqualTo(columns(table));
                assertThat(rows.rows).isEmpty();
            }
        }
    }

    @Test
    void fullLakeHasContractColumnsAndRows() {
        LakeFixtures.writeFullRun(folder, "r1");
        try (SqlSession session = SqlSession.open(Lake.open(folder))) {
            for (LakeTable table : LakeTable.values()) {
                CollectedRows rows = CollectedRows.of(session, "FROM " + table.tableName());

                assertThat(rows.columns).isEqualTo(columns(table));
                assertThat(rows.rows).as(table.tableName()).isNotEmpty();
            }
        }
    }

    @Test
    void viewsOverAnEmptyLakeAreEmpty() {
        try (SqlSession session = SqlSession.open(Lake.open(folder))) {
            assertThat(CollectedRows.of(session, "FROM v_latest_run").rows).isEmpty();
            assertThat(CollectedRows.of(session, "FROM v_new_anomalies").rows).isEmpty();
            assertThat(CollectedRows.of(session, "FROM v_anomalies_readable").rows)
                    .isEmpty();
        }
    }

    @Test
    void halfWrittenRunsAreInvisible() throws IOException {
        LakeFixtures.writeRun(folder, "r1", "a", LakeFixtures.MIDNIGHT, "x");
        LakeFixtures.writeRun(folder, "r2", "a", LakeFixtures.MIDNIGHT.plusSeconds(60), "y");
        Files.delete(folder.resolve("_runs/r2/_SUCCESS"));
        try (SqlSession session = SqlSession.open(Lake.open(folder))) {
            assertThat(cells(session, "SELECT object_key FROM anomalies")).containsExactly("x");
        }
    }

    @Test
    void runsThatCompleteMeanwhileAppear() {
        LakeFixtures.writeRun(folder, "r1", "a", LakeFixtures.MIDNIGHT, "x");
        try (SqlSession session = SqlSession.open(Lake.open(folder))) {
            assertThat(cells(session, "SELECT count(*) FROM runs")).containsExactly(1L);
            LakeFixtures.writeRun(folder, "r2", "a", LakeFixtures.MIDNIGHT, "x");

            assertThat(cells(session, "SELECT count(*) FROM runs")).containsExactly(2L);
        }
    }

    @Test
    void theLatestRunIsThatOfEachHistory() {
        LakeFixtures.writeRun(folder, "r1", "a", LakeFixtures.MIDNIGHT);
        LakeFixtures.writeRun(folder, "r2", "a", LakeFixtures.MIDNIGHT.plusSeconds(60));
        LakeFixtures.writeRun(folder, "r3", "b", LakeFixtures.MIDNIGHT);
        try (SqlSession session = SqlSession.open(Lake.open(folder))) {
            CollectedRows rows = CollectedRows.of(session, "FROM v_latest_run ORDER BY run_id");

            assertThat(rows.columns).isEqualTo(columns(LakeTable.RUNS));
            assertThat(rows.rows).extracting(row -> row.get(0)).containsExactly("r2", "r3");
        }
    }

    @Test
    void newAnomaliesAreThoseTheRunBeforeDidNotHave() {
        LakeFixtures.writeRun(folder, "r1", "a", LakeFixtures.MIDNIGHT, "x", "old");
        LakeFixtures.writeRun(folder, "r2", "a", LakeFixtures.MIDNIGHT.plusSeconds(60), "x");
        LakeFixtures.writeRun(folder, "r3", "a", LakeFixtures.MIDNIGHT.plusSeconds(120), "x", "y", "old");
        LakeFixtures.writeRun(folder, "r4", "b", LakeFixtures.MIDNIGHT, "z");
        try (SqlSession session = SqlSession.open(Lake.open(folder))) {
            CollectedRows rows = CollectedRows.of(session, "FROM v_new_anomalies");

            assertThat(rows.columns).isEqualTo(columns(LakeTable.ANOMALIES));
            assertThat(cells(session, "SELECT object_key FROM v_new_anomalies ORDER BY 1"))
                    .containsExactly("old", "y", "z");
        }
    }

    /** What a comparison with the run before leaves out is not new. */
    @ParameterizedTest
    @CsvSource({
        "1, timestamps, 2, timestamps, x", "2, timestamps, 1, timestamps, x", "1, timestamps, 2, values, x",
        "2, timestamps, 2, timestamps, xy", "1, timestamps, 1, timestamps, xy", "1, values, 2, timestamps, xy"
    })
    void anomaliesOfALevelWithAnotherDefinitionAreNotNew(
            int before, String evidenceBefore, int after, String evidence, String keys) {
        LakeFixtures.writeRun(folder, "r1", LakeFixtures.MIDNIGHT, before, evidenceBefore, "a", "b");
        LakeFixtures.writeRun(folder, "r2", LakeFixtures.MIDNIGHT.plusSeconds(60), after, evidence, "x", "y");
        Lake lake = Lake.open(folder);
        try (SqlSession session = SqlSession.open(lake)) {
            assertThat(cells(session, "SELECT string_agg(object_key, '' ORDER BY object_key) FROM v_new_anomalies"))
                    .containsExactly(keys);
        }
        List<StoredRun> runs = lake.storedRuns();
        assertThat(LevelDefinitions.changedBetween(runs.subList(0, 1), runs.subList(1, 2)))
                .isEqualTo(keys.equals("xy") ? Set.of() : Set.of(IsolationLevel.SERIALIZABLE));
    }

    @Test
    void allAnomaliesOfAFirstRunAreNew() {
        LakeFixtures.writeRun(folder, "r1", LakeFixtures.MIDNIGHT, 1, "timestamps", "a", "b");
        try (SqlSession session = SqlSession.open(Lake.open(folder))) {
            assertThat(cells(session, "SELECT object_key FROM v_new_anomalies ORDER BY 1"))
                    .containsExactly("a", "b");
        }
    }

    /** Flink reads the same tables without us, by views that a file defines. */
    @Test
    void viewsOfFlinkLeaveOutTheSameLevels() throws IOException {
        Path ddl = Path.of("").toAbsolutePath().getParent().resolveSibling("docs/flink-ddl.sql");

        assertThat(ddl).content().contains(LevelDefinitions.sql() + ";");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSTALL httpfs",
                "load 'httpfs'",
                "FORCE INSTALL httpfs",
                "SELECT 1; /* quietly */ install httpfs"
            })
    void nothingIsLoadedFromTheNetworkUnlessAskedFor(String statement) {
        try (SqlSession session = SqlSession.open(null)) {
            assertThatThrownBy(() -> CollectedRows.of(session, statement))
                    .isInstanceOf(UsageException.class)
                    .hasMessageStartingWith("nothing is loaded from the network: statement=")
                    .hasMessageEndingWith("; nightjar sql --network allows it");
        }
    }

    @Test
    void filesElsewhereAreNotReached() {
        try (SqlSession session = SqlSession.open(null)) {
            assertThatThrownBy(() -> CollectedRows.of(session, "FROM 'https://localhost:1/x.parquet'"))
                    .isInstanceOf(UsageException.class);
        }
    }

    @Test
    void readableAnomaliesHaveTheColumnsOfTheContract() {
        LakeFixtures.writeRun(folder, "r1", "orders.parquet", LakeFixtures.MIDNIGHT, "x");
        try (SqlSession session = SqlSession.open(Lake.open(folder))) {
            CollectedRows rows = CollectedRows.of(session, "FROM v_anomalies_readable");

            assertThat(rows.columns)
                    .containsExactly(
                            "time", "history", "anomaly_id", "level", "type", "key", "transactions", "explanation");
            assertThat(rows.rows)
                    .containsExactly(List.of(
                            "2026-11-20T00:00:02Z",
                            "orders.parquet",
                            cells(session, "SELECT anomaly_id FROM anomalies").get(0),
                            "snapshot-isolation",
                            "EXT",
                            "x",
                            "3, 2, 1",
                            LakeFixtures.explanation("x")));
        }
    }

    @Test
    void theCatalogueListsTablesAndViews() {
        try (SqlSession session = SqlSession.open(null)) {
            assertThat(cells(session, "SHOW TABLES")).containsExactlyInAnyOrderElementsOf(LakeViews.names());
        }
    }

    @Test
    void columnsAddedLaterFollowThoseOfTheTable() throws IOException {
        LakeFixtures.writeRun(folder, "r1", "a", LakeFixtures.MIDNIGHT, "x");
        Path part = folder.resolve("stages/history_id=h/run_id=r1/part-00000.parquet");
        Files.createDirectories(part.getParent());
        try (SqlSession session = SqlSession.open(Lake.open(folder))) {
            session.run("COPY (SELECT 'r1' AS run_id, 7 AS later_column) TO '" + part + "'", new CollectedRows());
        }
        List<String> expected = new ArrayList<>(columns(LakeTable.STAGES));
        expected.add("later_column");

        try (SqlSession session = SqlSession.open(Lake.open(folder))) {
            assertThat(CollectedRows.of(session, "FROM stages").columns).isEqualTo(expected);
            assertThat(cells(session, "SELECT later_column FROM stages WHERE seconds IS NULL"))
                    .containsExactly(7);
        }
    }

    @Test
    void mistakesInAQueryAreWrongUsage() {
        try (SqlSession session = SqlSession.open(null)) {
            assertThatThrownBy(() -> CollectedRows.of(session, "SELECT nope FROM runs"))
                    .isInstanceOf(UsageException.class)
                    .hasMessageStartingWith("Binder Error: ")
                    .hasMessageContaining("\"nope\"");
        }
    }

    @Test
    void damagedLakeFileIsStorageFailure() throws IOException {
        LakeFixtures.writeRun(folder, "r1", "a", LakeFixtures.MIDNIGHT, "x");
        Lake lake = Lake.open(folder);
        Path part = lake.files(LakeTable.ANOMALIES, lake.completeRuns()).get(0);
        Files.writeString(part, "this is not Parquet, by no means at all");
        try (SqlSession session = SqlSession.open(lake)) {
            assertThatThrownBy(() -> CollectedRows.of(session, "FROM anomalies"))
                    .isInstanceOf(LakeException.class)
                    .hasMessageStartingWith("cannot read anomaly tables: ")
                    .hasMessageContaining(part.toString());
        }
    }

    @Test
    void nothingIsFetchedFromTheNetwork() {
        try (SqlSession session = SqlSession.open(null)) {
            assertThatThrownBy(() -> CollectedRows.of(session, "FROM 'https://localhost/a.parquet'"))
                    .isInstanceOf(UsageException.class)
                    .hasMessageContaining("httpfs");
        }
    }

    @Test
    void cellsOfEveryTypeBecomePlainValues() {
        try (SqlSession session = SqlSession.open(null)) {
            CollectedRows rows = CollectedRows.of(
                    session,
                    "SELECT TIMESTAMPTZ '2026-11-20 10:15:28.5+01', TIMESTAMP '2026-11-20 09:15:00', DATE '2026-11-20',"
                            + " [1, NULL], {'a': [{'b': 'c'}]}, MAP {'k': 1}, 1::HUGEINT, 1.50::DECIMAL(4, 2), '\\xAB'::BLOB,"
                            + " '{\"j\":1}'::JSON, NULL, true");

            assertThat(rows.rows.get(0).stream().map(CellText::text))
                    .containsExactly(
                            "2026-11-20T09:15:28.500Z",
                            "2026-11-20T09:15:00",
                            "2026-11-20",
                            "[1,null]",
                            "{\"a\":[{\"b\":\"c\"}]}",
                            "{\"k\":1}",
                            "1",
                            "1.50",
                            "ab",
                            "{\"j\":1}",
                            null,
                            "true");
        }
    }

    private static List<String> columns(LakeTable table) {
        return table.columns().stream().map(LakeTable.Column::name).toList();
    }

    private static List<Object> cells(SqlSession session, String sql) {
        return CollectedRows.of(session, sql).rows.stream()
                .map(row -> row.get(0))
                .toList();
    }
}
