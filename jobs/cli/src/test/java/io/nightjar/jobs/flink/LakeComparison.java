package io.nightjar.jobs.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.lake.LakeTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Compares the tables of two runs, row by row, except names, times and sizes. */
final class LakeComparison {

    private static final Map<LakeTable, String> LEFT_OUT = Map.of(
            LakeTable.RUNS, "run_id, batch_id, started_at, finished_at",
            LakeTable.LEVEL_VERDICTS, "run_id, seconds",
            LakeTable.COMPONENTS, "run_id, seconds",
            LakeTable.STAGES, "run_id, seconds, bytes_spilled, peak_memory_bytes");

    private final Lake lake;

    LakeComparison(Path root) {
        this.lake = Lake.openExisting(root);
    }

    /** Every row of one run is in the other as often. */
    void assertSame(String expectedRun, String run) throws SQLException {
        assertThat(lake.completeRuns()).contains(expectedRun, run);
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:")) {
            for (LakeTable table : LakeTable.values()) {
                List<Path> expected = lake.files(table, Set.of(expectedRun));
                List<Path> actual = lake.files(table, Set.of(run));
                assertThat(actual.isEmpty()).as("%s has no rows", table).isEqualTo(expected.isEmpty());
                if (!expected.isEmpty()) {
                    assertThat(difference(connection, table, expected, actual))
                            .as("rows of %s in %s only, and in %s only", table, expectedRun, run)
                            .isEmpty();
                }
            }
        }
    }

    private static List<String> difference(Connection connection, LakeTable table, List<Path> one, List<Path> other)
            throws SQLException {
        String leftOut = LEFT_OUT.getOrDefault(table, "run_id");
        String first = select(leftOut, one);
        String second = select(leftOut, other);
        List<String> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("SELECT 'expected', t::VARCHAR FROM (" + first
                        + " EXCEPT ALL " + second + ") t UNION ALL SELECT 'found', t::VARCHAR FROM (" + second
                        + " EXCEPT ALL " + first + ") t LIMIT 6")) {
            while (found.next()) {
                rows.add(found.getString(1) + " " + found.getString(2));
            }
        }
        return rows;
    }

    private static String select(String leftOut, List<Path> files) {
        String names = files.stream().map(file -> "'" + file + "'").collect(Collectors.joining(", "));
        return "SELECT * EXCLUDE (" + leftOut + ") FROM read_parquet([" + names + "], hive_partitioning = false)";
    }

    /** Verifies that no file of an attempt that did not become a run is left, and no lock. */
    void assertNothingElse() throws IOException {
        Set<String> found = new TreeSet<>();
        try (Stream<Path> paths = Files.walk(lake.root())) {
            paths.map(path -> path.getFileName().toString())
                    .filter(name -> name.startsWith("run_id="))
                    .forEach(name -> found.add(name.substring("run_id=".length())));
        }
        assertThat(found).isEqualTo(lake.completeRuns());
        assertThat(lake.root().resolve("_runs/.locks")).doesNotExist();
    }
}
