package io.nightjar.jobs.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.registry.Histories;
import io.nightjar.jobs.RunResultJson;
import io.nightjar.jobs.lake.LakeTable;
import io.nightjar.jobs.local.LocalEngine;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.CheckOptions.Evidence;
import io.nightjar.jobs.run.ProgressListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;

/**
 * Checks histories with both engines and compares all that comes out: with Flink at one parallelism after another in turn,
 * or each history at all of them in a campaign.
 */
final class TwoEngines implements AutoCloseable {

    static final int[] PARALLELISMS = {1, 2, 4};

    /** Reads files twice at this parallelism; at others the first reading keeps what the second needs. */
    private static final int FORGETFUL = 2;

    /** As many histories go to one parallelism before the next has its turn, so that all meet all kinds of them. */
    private static final int IN_A_ROW = 4;

    private static final boolean AT_ALL = Seeds.areOfCampaign();

    private static final int JOBS_AT_ONCE = 3;
    private static final Pattern OF_THE_RUN =
            Pattern.compile("\"(engine|run_id|seconds)\":(\"[^\"]*\"|null|[0-9.eE-]+)");

    private static final Pattern AFTER_LEVELS = Pattern.compile("(,\"not\":.*)?,\"anomalies\":\\[.*");

    /** What differs from run to run whichever engine it is. */
    private static final Map<LakeTable, String> LEFT_OUT = new EnumMap<>(Map.of(
            LakeTable.RUNS, "started_at, finished_at, engine",
            LakeTable.LEVEL_VERDICTS, "seconds",
            LakeTable.COMPONENTS, "seconds"));

    private final Path folder;
    private final JobRunner cluster;
    private final JobRunner forgetful;
    private final long largeGroup;
    private final ExecutorService threads = Executors.newFixedThreadPool(JOBS_AT_ONCE);
    private final List<Future<?>> asked = new ArrayList<>();
    private final Map<Integer, Set<String>> runsAt = new TreeMap<>();
    private long memoryBytes = 256L << 20;
    private boolean comparesLevelsOnly;
    private int runs;

    /** @param largeGroup how many operations make a group of sessions worth sharing among tasks */
    TwoEngines(Path folder, EmbeddedCluster cluster, long largeGroup) {
        this.folder = folder;
        this.cluster = cluster;
        this.forgetful = new Forgetful(cluster);
        this.largeGroup = largeGroup;
    }

    /** A cluster that is wide enough for what is asked at once. */
    static EmbeddedCluster newCluster(Path scratch) {
        return new EmbeddedCluster(JOBS_AT_ONCE * PARALLELISMS[PARALLELISMS.length - 1], scratch);
    }

    /** Compares levels with their counts only: a level that was checked in advance rules out more of Elle's levels. */
    void compareLevelsOnly() {
        comparesLevelsOnly = true;
    }

    void setMemory(long bytes) {
        memoryBytes = bytes;
    }

    /** Asks for a comparison; {@link #compare} waits for all. */
    void ask(Path history, Evidence evidence, List<IsolationLevel> levels, String initialValue, long maxDeadLetters) {
        String runId = "run-" + runs;
        int[] parallelisms = AT_ALL ? PARALLELISMS : new int[] {PARALLELISMS[runs / IN_A_ROW % PARALLELISMS.length]};
        runs++;
        for (int parallelism : parallelisms) {
            runsAt.computeIfAbsent(parallelism, any -> new TreeSet<>()).add(runId);
        }
        asked.add(threads.submit(() -> {
            String local = local(history, options("local", runId, evidence, levels, initialValue, maxDeadLetters));
            for (int parallelism : parallelisms) {
                CheckOptions options =
                        options("flink" + parallelism, runId, evidence, levels, initialValue, maxDeadLetters);
                assertThat(flink(history, options, parallelism))
                        .as("%s evidence=%s levels=%s parallelism=%d", history, evidence, levels, parallelism)
                        .isEqualTo(local);
            }
            return null;
        }));
    }

    private CheckOptions options(
            String lake,
            String runId,
            Evidence evidence,
            List<IsolationLevel> levels,
            String initialValue,
            long maxDeadLetters) {
        return CheckOptions.of(levels)
                .evidence(evidence)
                .initialValue(initialValue)
                .maxDeadLetters(maxDeadLetters)
                .maxAnomalies(1_000)
                .lake(folder.resolve(lake))
                .runId(runId)
                .search(new CheckOptions.Search(600_000_000_000L, 600_000_000_000L, false))
                .threadCount(1)
                .memoryBytes(memoryBytes)
                .spillParent(folder)
                .build();
    }

    private String local(Path history, CheckOptions options) throws IOException {
        try (HistorySource source = Histories.open(history, null)) {
            return plain(RunResultJson.write(
                    new LocalEngine(options, "test", ProgressListener.NONE).check(source, history)));
        } catch (MalformedHistoryException rejected) {
            return rejected.getMessage();
        }
    }

    private String flink(Path history, CheckOptions options, int parallelism) throws IOException {
        JobRunner runner = parallelism == FORGETFUL ? forgetful : cluster;
        FlinkEngine engine = new FlinkEngine(options, parallelism, "test", ProgressListener.NONE, runner, largeGroup);
        try {
            return plain(RunResultJson.write(engine.check(history, null)));
        } catch (MalformedHistoryException rejected) {
            return rejected.getMessage();
        }
    }

    private String plain(String json) {
        String ofAnyRun = OF_THE_RUN.matcher(json).replaceAll("");
        return comparesLevelsOnly ? AFTER_LEVELS.matcher(ofAnyRun).replaceAll("") : ofAnyRun;
    }

    /** Waits for everything that was asked; compares results, and no tables. */
    void compareResults() throws InterruptedException {
        assertThat(asked).isNotEmpty();
        for (Future<?> future : asked) {
            try {
                future.get();
            } catch (ExecutionException failed) {
                throw failed.getCause() instanceof AssertionError wrong ? wrong : new AssertionError(failed.getCause());
            }
        }
    }

    /** Waits for everything that was asked, then compares the tables of all runs. */
    void compare() throws InterruptedException {
        compareResults();
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            for (LakeTable table : LakeTable.values()) {
                for (Map.Entry<Integer, Set<String>> at : runsAt.entrySet()) {
                    compare(statement, table, "flink" + at.getKey(), at.getValue());
                }
            }
        } catch (SQLException failed) {
            throw new AssertionError(failed);
        }
    }

    private void compare(Statement statement, LakeTable table, String lake, Set<String> runIds) throws SQLException {
        if (table == LakeTable.STAGES) {
            return;
        }
        String local = rows(table, "local", runIds);
        String flink = rows(table, lake, runIds);
        if (local == null && flink == null) {
            return;
        }
        String query = onlyIn(local, "local", flink);
        if (local != null && flink != null) {
            query += " UNION ALL " + onlyIn(flink, lake, local);
        }
        List<String> different = new ArrayList<>();
        try (ResultSet result = statement.executeQuery(query + " LIMIT 10")) {
            while (result.next()) {
                StringBuilder row = new StringBuilder();
                for (int column = 1; column <= result.getMetaData().getColumnCount(); column++) {
                    row.append(result.getString(column)).append(" | ");
                }
                different.add(row.toString());
            }
        }
        assertThat(different).as("%s in %s", table.tableName(), lake).isEmpty();
    }

    /** What one lake has and the other lacks; all of it where one of them has no such table. */
    private static String onlyIn(String rows, String lake, String others) {
        if (rows == null) {
            return "(SELECT 'not in " + lake + "', * FROM (" + others + "))";
        }
        return "(SELECT 'only in " + lake + "', * FROM (" + rows + (others == null ? "" : " EXCEPT ALL " + others)
                + "))";
    }

    /** Null if no run wrote any. */
    private String rows(LakeTable table, String lake, Set<String> runIds) {
        Path files = folder.resolve(lake).resolve(table.tableName());
        String columns = LEFT_OUT.containsKey(table) ? "EXCLUDE (" + LEFT_OUT.get(table) + ") " : "";
        return Files.exists(files)
                ? "SELECT * " + columns + "FROM read_parquet('" + files
                        + "/*/*/*.parquet', hive_partitioning=false) WHERE run_id IN ('" + String.join("','", runIds)
                        + "')"
                : null;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    /** Tasks that keep nothing from one reading to the next, as where each may run in another process. */
    private static final class Forgetful extends ForwardingRunner {

        Forgetful(JobRunner runner) {
            super(runner);
        }

        @Override
        public long keptBytes(long allowedBytes) {
            return 0;
        }
    }
}
