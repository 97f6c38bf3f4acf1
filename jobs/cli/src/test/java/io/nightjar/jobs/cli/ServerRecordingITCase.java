package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.nightjar.datasets.generate.KeyDistribution;
import io.nightjar.datasets.jdbc.JdbcAddress;
import io.nightjar.datasets.jdbc.JdbcTables;
import io.nightjar.datasets.jdbc.SqlDialect;
import io.nightjar.datasets.workload.WorkloadKeys;
import io.nightjar.datasets.workload.Workloads;
import io.nightjar.fixtures.JsonTree;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResultJson;
import io.nightjar.jobs.record.DatabaseServer;
import io.nightjar.jobs.record.LossyProxy;
import io.nightjar.jobs.record.MariaDbServer;
import io.nightjar.jobs.record.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Recordings of servers that run here: the levels that they keep, and the outcomes of transactions when they fail. */
@Tag("slow")
class ServerRecordingITCase {

    private static final String HOLDS = "holds";
    private static final String VIOLATED = "violated";

    @TempDir
    private Path directory;

    // ---------------------------------------------------------------- levels

    @ParameterizedTest
    @ValueSource(strings = {"12.3.0", "15.13.0", "17.5.0"})
    void postgresLevelsHold(String version) throws Exception {
        try (PostgresServer server = PostgresServer.started(version)) {
            recordUntilViolated(server.url(), "repeatable-read", "write-skew", "serializable", "values");
            assertThat(patterns("serializable", "values")).contains("write-skew");
            assertThat(patterns("serializable", "timestamps")).contains("write-skew");
            assertThat(verdict("snapshot-isolation", "timestamps")).isEqualTo(HOLDS);

            record(server.url(), "serializable", "write-skew", 1_000, 20);
            assertThat(verdict("snapshot-isolation", "timestamps")).isEqualTo(HOLDS);
            assertThat(verdict("serializable", "timestamps")).isEqualTo(HOLDS);
            assertThat(verdict("serializable", "values")).isEqualTo(HOLDS);

            assertThat(verdict("all", "auto")).isEqualTo(HOLDS);

            record(server.url(), "serializable", "list", 600, 30);
            assertThat(verdict("snapshot-isolation", "timestamps")).isEqualTo(HOLDS);
            boolean seesAll = !version.startsWith("12."); // 12.3 misses some conflicts of rows that were just inserted
            if (seesAll) {
                assertThat(verdict("serializable", "timestamps")).isEqualTo(HOLDS);
                holds("serializable", "values");
                holds("all", "auto");
            }

            record(server.url(), "serializable", "predicate", 600, 60);
            assertThat(verdict("snapshot-isolation", "timestamps")).isEqualTo(HOLDS);
            if (seesAll) {
                assertThat(verdict("serializable", "timestamps")).isEqualTo(HOLDS);
                assertThat(verdict("all", "auto")).isEqualTo(HOLDS);
            }

            record(server.url(), "serializable", "deletes", 300, 20);
            if (seesAll) {
                assertThat(verdict("serializable", "auto")).isEqualTo(HOLDS);
            }
            // two may insert a row one after the other and both commit, if it was deleted in between
            assertThat(types("snapshot-isolation", "timestamps")).isSubsetOf("NOCONFLICT");

            recordUntilViolated(server.url(), "repeatable-read", "predicate", "serializable", "versions");
            assertThat(types("serializable", "versions")).anyMatch(type -> type.matches("G2(-process)?"));
            assertThat(verdict("snapshot-isolation", "timestamps")).isEqualTo(HOLDS);

            recordUntilViolated(server.url(), "read-committed", "smallbank", "snapshot-isolation", "values");
            assertThat(verdict("read-committed", "values")).isEqualTo(HOLDS);
            assertThat(types("PL-SI", "values"))
                    .anyMatch(type -> type.startsWith("G-single") || type.equals("lost-update"));
            if (version.startsWith("15.")) {
                assertTotals(server.url());
            }
        }
    }

    @Test
    void theCommandsOfThePageAboutPostgresRun() throws Exception {
        String page =
                Files.readString(Path.of("").toAbsolutePath().getParent().resolveSibling("docs/from-postgresql.md"));
        List<String> verdicts = new ArrayList<>();
        try (PostgresServer server = PostgresServer.started("17.5.0")) {
            for (String line :
                    page.lines().filter(each -> each.startsWith("nightjar ")).toList()) {
                CommandRun run = CommandRun.of(arguments(line, server));
                assertThat(run.code()).as("%s: %s", line, run.err()).isLessThanOrEqualTo(1);
                if (line.startsWith("nightjar check")) {
                    verdicts.add(run.out().replaceAll("(?s).*?: ([A-Z]+) .*", "$1"));
                }
            }
        }
        assertThat(verdicts).containsExactly("VIOLATED", "HOLDS", "VIOLATED", "HOLDS");
    }

    private String[] arguments(String line, DatabaseServer server) {
        List<String> arguments = new ArrayList<>();
        Matcher word = Pattern.compile("\"([^\"]*)\"|(\\S+)").matcher(line.substring("nightjar ".length()));
        while (word.find()) {
            String argument = word.group(1) == null ? word.group(2) : word.group(1);
            argument = argument.replace("jdbc:postgresql://localhost/test", server.url());
            argument = argument.startsWith("datasets/") ? "../../" + argument : argument;
            boolean isPath = argument.endsWith(".parquet") || argument.equals("nightjar-lake");
            arguments.add(
                    isPath ? directory.resolve(argument).toString() : argument.equals("me") ? "postgres" : argument);
        }
        return arguments.toArray(new String[0]);
    }

    @Test
    void mariaDbKeepsLessThanASnapshotAtRepeatableRead() throws Exception {
        try (MariaDbServer server = MariaDbServer.started()) {
            recordUntilViolated(server.url(), "repeatable-read", "smallbank", "snapshot-isolation", "versions");

            record(server.url(), "serializable", "smallbank", 1_000, 20);
            assertThat(verdict("serializable", "versions")).isEqualTo(HOLDS);

            assertTotals(server.url());

            recordUntilViolated(server.url(), "read-uncommitted", "register", "read-committed", "versions");
        }
    }

    // ---------------------------------------------------------------- failures

    @Test
    void restartedServerLeavesUnknownTransactionsAndCorrectHistory() throws Exception {
        try (PostgresServer server = PostgresServer.started("15.13.0")) {
            Map<String, Object> summary = whileRecording(server, () -> {
                awaitWrites(server);
                server.kill();
                server.start();
                return null;
            });

            assertThat(number(summary, "unknown")).isPositive();
            assertThat(number(summary, "committed")).isPositive();
            assertThat(verdict("snapshot-isolation", "timestamps")).isEqualTo(HOLDS);
            assertThat(verdict("serializable", "values")).isEqualTo(HOLDS);
        }
    }

    @Test
    void lossesOfServerWithoutDiskSyncAreDetected() throws Exception {
        try (PostgresServer server = PostgresServer.started("17.5.0", "fsync=off", "bgwriter_lru_maxpages=0")) {
            Map<String, Object> summary = whileRecording(server, () -> {
                awaitWrites(server);
                String[] location = logLocation(server);
                awaitWrites(server, 300 + writes(server));
                server.kill();
                server.tearLog(location[0], Long.parseLong(location[1]));
                server.start();
                return null;
            });

            assertThat(number(summary, "committed")).isPositive();
            assertThat(verdict("snapshot-isolation", "timestamps")).isEqualTo(VIOLATED);
            assertThat(types("snapshot-isolation", "timestamps")).contains("EXT");
        }
    }

    /** Returns the file of the log, and the offset of the next record in it. */
    private static String[] logLocation(DatabaseServer server) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.url());
                Statement statement = connection.createStatement();
                ResultSet place = statement.executeQuery(
                        "SELECT file_name, file_offset FROM pg_walfile_name_offset(pg_current_wal_insert_lsn())")) {
            place.next();
            return new String[] {place.getString(1), place.getString(2)};
        }
    }

    @Test
    void connectionsThatAreCutLeaveUnknownTransactions() throws Exception {
        try (PostgresServer server = PostgresServer.started("17.5.0")) {
            Map<String, Object> summary = whileRecording(server, () -> {
                awaitWrites(server);
                for (int i = 0; i < 30; i++) { // few cuts fall between a COMMIT and its answer
                    Thread.sleep(100);
                    execute(
                            server,
                            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                                    + " WHERE query LIKE '%nightjar_register%' AND pid <> pg_backend_pid()");
                }
                return null;
            });

            assertThat(number(summary, "unknown")).isPositive();
            assertThat(verdict("snapshot-isolation", "timestamps")).isEqualTo(HOLDS);
            assertThat(verdict("serializable", "values")).isEqualTo(HOLDS);
        }
    }

    @Test
    void aServerThatStopsAnsweringLeavesUnknownTransactions() throws Exception {
        try (PostgresServer server = PostgresServer.started("15.13.0")) {
            Map<String, Object> summary = whileRecording(
                    server,
                    () -> {
                        awaitWrites(server);
                        server.signal("STOP");
                        Thread.sleep(1_500);
                        server.signal("CONT");
                        return null;
                    },
                    "--timeout",
                    "500ms");

            assertThat(number(summary, "unknown")).isPositive();
            assertThat(verdict("serializable", "values")).isEqualTo(HOLDS);
        }
    }

    @Test
    void commitsWithLostAnswersAreUnknown() throws Exception {
        try (PostgresServer server = PostgresServer.started("15.13.0");
                LossyProxy proxy = new LossyProxy(server.port(), 20, 1, 7)) {
            Map<String, Object> summary = record(
                    server.url().replace(":" + server.port(), ":" + proxy.port()) + "&prepareThreshold=0",
                    "serializable",
                    "register",
                    600,
                    40);

            assertThat(number(summary, "unknown")).isEqualTo(proxy.lost()).isPositive();
            RunResult result = checked("all", "values");
            assertThat(result.verdict().word()).isEqualTo(HOLDS);
            assertThat(verdict("snapshot-isolation", "timestamps")).isEqualTo(HOLDS);
        }
    }

    @Test
    void unreachableServerEndsRecordingWithRecordedPart() throws Exception {
        try (PostgresServer server = PostgresServer.started("15.13.0")) {
            CompletableFuture<CommandRun> recording = CompletableFuture.supplyAsync(() -> CommandRun.of(
                    "record",
                    "" + directory.resolve("h.parquet"),
                    "--jdbc",
                    server.url(),
                    "--duration",
                    "10m",
                    "--patience",
                    "500ms"));
            awaitWrites(server);
            server.kill();
            CommandRun run = recording.get(10, TimeUnit.MINUTES);

            assertThat(run.code()).as(run.err()).isEqualTo(75);
            assertThat(run.err()).contains("cannot connect: reason=");
            assertThat(directory.resolve("h.parquet")).isDirectoryContaining("glob:**part-00000.parquet");
            assertThat(verdict("serializable", "values")).isEqualTo(HOLDS);
        }
    }

    /** The lock decides: by the list the maker would be dead. */
    @ParameterizedTest
    @ValueSource(strings = {"postgresql", "mariadb"})
    void tablesThatARecordingHasLockedAreLeftAlone(String product) throws Exception {
        try (DatabaseServer server =
                product.equals("mariadb") ? MariaDbServer.started() : PostgresServer.started("15.13.0")) {
            record(server.url(), "serializable", "register", 20, 20, "--keep");
            JdbcAddress address = JdbcAddress.of(server.url(), null, null, null, Duration.ofSeconds(10));
            WorkloadKeys keys = Workloads.REGISTER
                    .of(new Workloads.Scale(20, 5, 0.5, KeyDistribution.UNIFORM.sampler(20)))
                    .keys();
            JdbcTables tables = new JdbcTables(address.dialect(), keys, SqlDialect.Certificates.NONE);
            String[] again = recording(server.url(), "serializable", "register", 20, 20);
            try (Connection other = address.connect()) {
                assertThat(tables.lockInTime(other)).isTrue();

                CommandRun refused = CommandRun.of(again);

                assertThat(refused.code()).isEqualTo(64);
                assertThat(refused.err()).contains("another recording uses the table: table=nightjar_register;");
            }
            record(server.url(), "serializable", "register", 20, 20);
        }
    }

    // ---------------------------------------------------------------- tools

    /**
     * Records during an accident; the rate leaves time for it on a fast machine, and the number of transactions on a
     * slow one.
     */
    private Map<String, Object> whileRecording(DatabaseServer server, Callable<Void> accident, String... more)
            throws Exception {
        List<String> args = new ArrayList<>(List.of(
                "record",
                "" + directory.resolve("h.parquet"),
                "--jdbc",
                server.url(),
                "--keys",
                "100",
                "--rate",
                "600",
                "--transactions",
                "3000",
                "--patience",
                "5m",
                "--json"));
        args.addAll(List.of(more));
        CompletableFuture<CommandRun> recording =
                CompletableFuture.supplyAsync(() -> CommandRun.of(args.toArray(new String[0])));
        accident.call();
        CommandRun run = recording.get(10, TimeUnit.MINUTES);
        assertThat(run.code()).as(run.err()).isZero();
        return JsonTree.lines(run.out()).get(0);
    }

    private Map<String, Object> record(
            String url, String isolation, String workload, int transactions, int keys, String... more) {
        CommandRun run = CommandRun.of(recording(url, isolation, workload, transactions, keys, more));
        assertThat(run.code()).as(run.err()).isZero();
        return JsonTree.lines(run.out()).get(0);
    }

    /**
     * An anomaly that a database permits at a level occurs in a recording by chance, the sooner the more transactions
     * overlap.
     */
    private void recordUntilViolated(String url, String isolation, String workload, String level, String evidence) {
        for (int seed = 1; seed <= 10; seed++) {
            record(url, isolation, workload, 1_000, 20, "--seed", "" + seed);
            if (verdict(level, evidence).equals(VIOLATED)) {
                return;
            }
        }
        throw new AssertionError("never violated: " + level + " by " + workload + " at " + isolation);
    }

    private String[] recording(
            String url, String isolation, String workload, int transactions, int keys, String... more) {
        List<String> args = new ArrayList<>(List.of(
                "record",
                "" + directory.resolve("h.parquet"),
                "--jdbc",
                url,
                "--isolation",
                isolation,
                "--workload",
                workload,
                "--transactions",
                "" + transactions,
                "--keys",
                "" + keys,
                "--json"));
        args.addAll(List.of(more));
        return args.toArray(new String[0]);
    }

    /**
     * SmallBank's total changes at read committed if rows that will be changed are read without a lock, and only then.
     */
    private void assertTotals(String url) {
        record(url, "read-committed", "smallbank", 200, 20, "--assert", "--for-update"); // deadlocks are slow
        CommandRun unlocked = null;
        for (int seed = 1; seed <= 10 && (unlocked == null || unlocked.code() == 0); seed++) {
            unlocked = CommandRun.of(
                    recording(url, "read-committed", "smallbank", 1_000, 4, "--assert", "--seed", "" + seed));
        }
        assertThat(unlocked.code()).as("%s", unlocked).isOne();
        assertThat(unlocked.out()).contains("\"broken\":[\"A13\"]");
    }

    private RunResult checked(String levels, String evidence) {
        CommandRun run = CommandRun.of(
                "check",
                "" + directory.resolve("h.parquet"),
                "--level",
                levels,
                "--evidence",
                evidence,
                "--lake",
                "none",
                "--json");
        assertThat(run.code()).as(run.err()).isLessThanOrEqualTo(2);
        return RunResultJson.read(run.out());
    }

    private String verdict(String level, String evidence) {
        RunResult result = checked(level, evidence);
        String word = result.verdict().word();
        assertThat(word).as("a reason: %s", result.levels()).isNotEqualTo("undecided");
        return word;
    }

    /** Keeps a recording whose level does not hold in the folder of the build, since the next one may differ. */
    private void holds(String level, String evidence) throws IOException {
        RunResult result = checked(level, evidence);
        if (!result.verdict().word().equals(HOLDS)) {
            Path kept = Path.of("target", "does-not-hold-" + System.nanoTime() + ".parquet");
            Files.copy(directory.resolve("h.parquet"), kept);
            fail("recording=%s levels=%s anomalies=%s", kept.toAbsolutePath(), result.levels(), result.anomalies());
        }
    }

    private List<String> patterns(String level, String evidence) {
        return checked(level, evidence).anomalies().stream()
                .map(anomaly -> String.valueOf(anomaly.pattern()))
                .toList();
    }

    private List<String> types(String level, String evidence) {
        return checked(level, evidence).anomalies().stream()
                .map(anomaly -> String.valueOf(anomaly.type()))
                .toList();
    }

    private static long number(Map<String, Object> object, String name) {
        return ((Number) object.get(name)).longValue();
    }

    private static void awaitWrites(DatabaseServer server) throws InterruptedException {
        awaitWrites(server, 50);
    }

    /** A recording lasts seconds, so that the count is queried often, over a connection that stays. */
    private static void awaitWrites(DatabaseServer server, long count) throws InterruptedException {
        long untilNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
        while (System.nanoTime() < untilNs) {
            try (Connection connection = DriverManager.getConnection(server.url())) {
                while (writes(connection) <= count) {
                    Thread.sleep(20);
                }
                return;
            } catch (SQLException notYet) {
                Thread.sleep(20);
            }
        }
        throw new AssertionError("nothing is written");
    }

    private static long writes(DatabaseServer server) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.url())) {
            return writes(connection);
        }
    }

    private static long writes(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet sum = statement.executeQuery("SELECT SUM(n) FROM nightjar_register")) {
            sum.next();
            return sum.getLong(1);
        }
    }

    private static void execute(DatabaseServer server, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.url());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
