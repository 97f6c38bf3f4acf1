package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResultJson;
import io.nightjar.jobs.record.DatabaseServer;
import io.nightjar.jobs.record.LossyProxy;
import io.nightjar.jobs.record.PostgresServer;
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
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.Driver;

/** Recordings that read the log of a server: outcomes that it proves, and behavior when it fails. */
@Tag("slow")
class LoggedRecordingITCase {

    private static final String LOGICAL = "wal_level=logical";

    @TempDir
    private Path directory;

    // ---------------------------------------------------------------- outcomes that it proves

    @ParameterizedTest
    @CsvSource({"12.3.0, list", "15.13.0, predicate", "17.5.0, smallbank"})
    void logResolvesTransactionsWithLostAnswers(String version, String workload) throws Exception {
        try (PostgresServer server = PostgresServer.started(version, LOGICAL);
                LossyProxy proxy = new LossyProxy(server.port(), 20, 1, 7).sparing(2)) {
            String url = server.url().replace(":" + server.port(), ":" + proxy.port()) + "&prepareThreshold=0";
            CommandRun run = record(url, "--isolation", "repeatable-read", "--workload", workload, "--assert");

            assertThat(run.err()).contains("outcomes that no client learned, by the server's log: committed=");
            assertThat(run.err()).doesNotContain("wrote something else").doesNotContain("does not have");
            assertThat(summary(run)).containsEntry("log", "complete");
            // transactions without writes are not in the log
            assertThat(number(run, "unknown")).isLessThan(proxy.lost());
            assertThat(types("si", "timestamps")).isEmpty();
            assertThat(slots(server)).isEmpty();
        }
    }

    @Test
    void recordingContinuesWithLogOfRestartedServer() throws Exception {
        try (PostgresServer server = PostgresServer.started("17.5.0", LOGICAL)) {
            CommandRun run = whileRecording(server, () -> {
                server.kill();
                server.start();
            });

            assertThat(run.err()).contains("outcomes that no client learned, by the server's log: committed=");
            assertThat(summary(run)).containsEntry("log", "complete");
            assertThat(number(run, "unknown")).isZero();
            assertThat(types("si,ser", "auto")).isEmpty();
            assertThat(slots(server)).isEmpty();
        }
    }

    // ---------------------------------------------------------------- outcomes that it cannot prove

    @Test
    void aLogThatLostItsTailProvesNothing() throws Exception {
        try (PostgresServer server = PostgresServer.started("15.13.0", LOGICAL, "max_slot_wal_keep_size=1MB")) {
            CommandRun thrownAway = whileRecording(server, () -> {
                for (int i = 0; i < 50 && !slots(server).contains("lost"); i++) {
                    execute(server, "SELECT pg_switch_wal()");
                    execute(server, "CHECKPOINT");
                }
                endSessions(server);
            });
            assertThat(slots(server)).isEmpty();
            assertIncomplete(thrownAway, "the slot has lost changes that it had not sent");

            CommandRun dropped = whileRecording(server, () -> {
                await(() -> dropSlot(server));
                endSessions(server);
            });
            assertIncomplete(dropped, "the slot has lost changes that it had not sent");
        }
    }

    /** The server loses transactions that it had already sent. */
    @Test
    void serverThatLosesEndOfLogIsDetected() throws Exception {
        try (PostgresServer server =
                PostgresServer.started("15.13.0", LOGICAL, "fsync=off", "bgwriter_lru_maxpages=0")) {
            CommandRun run = whileRecording(server, () -> {
                String[] location = one(
                                server,
                                "SELECT file_name || ' ' || file_offset || ' ' || lsn FROM pg_current_wal_insert_lsn()"
                                        + " AS lsn, pg_walfile_name_offset(lsn)")
                        .split(" ");
                await(() -> one(
                                server,
                                "SELECT confirmed_flush_lsn > '" + location[2] + "'::pg_lsn FROM pg_replication_slots")
                        .equals("t"));
                server.kill();
                server.tearLog(location[0], Long.parseLong(location[1]));
                server.start();
            });

            assertIncomplete(run, "the server came back without the end of its log");
        }
    }

    private void assertIncomplete(CommandRun run, String why) {
        assertThat(run.err()).contains("the server's log is incomplete").contains(why);
        assertThat(summary(run)).containsEntry("log", "incomplete").containsEntry("certificates", "snapshots");
        assertThat(number(run, "unknown")).isPositive();
        assertThat(CommandRun.of("check", "--lake", "none", "--level", "si,ser", "" + directory.resolve("h.parquet"))
                        .out())
                .contains("the server's log of changes is incomplete, so its facts remain undecided: " + why)
                .doesNotContain("holds");
    }

    @Test
    void databaseWithoutReadableLogIsRecordedBySnapshots() throws Exception {
        try (PostgresServer server = PostgresServer.started("12.3.0", LOGICAL)) {
            execute(server, "CREATE ROLE plain LOGIN");
            CommandRun refused = record(server.url().replace("user=postgres", "user=plain"));
            assertThat(refused.err()).contains("no log of the server: reason=42501");
            assertThat(summary(refused)).containsEntry("log", "none").containsEntry("certificates", "snapshots");

            String jar = Path.of(Driver.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
            CommandRun another = record(server.url(), "--driver", jar);
            assertThat(another.err()).contains("another driver is used");
            assertThat(summary(another)).containsEntry("log", "incomplete").containsEntry("unknown", 0L);
            assertThat(slots(server)).isEmpty();

            CommandRun changed =
                    whileRecording( // one row a transaction: who waits for it is in no deadlock of recorded clients
                            server,
                            () -> execute(server, "UPDATE nightjar_register SET v = 7, n = n + 1 WHERE id = 3"),
                            "--ops",
                            "1");
            assertThat(changed.err()).contains("another client has changed rows of the recording");
        }
        try (PostgresServer server = PostgresServer.started("15.13.0")) {
            CommandRun run = record(server.url());
            assertThat(run.err()).contains("no log of the server: wal_level=replica");
            assertThat(summary(run)).containsEntry("log", "none").containsEntry("certificates", "snapshots");
        }
    }

    /**
     * Each statement there sees the versions committed when it began, so alone it is a transaction that keeps its
     * snapshot.
     */
    @Test
    void predicateReadsBelowRepeatableReadHaveStatementSnapshots() throws Exception {
        try (PostgresServer server = PostgresServer.started("17.5.0", LOGICAL)) {
            record(server.url(), "--isolation", "read-committed", "--workload", "ranges");
        }
        assertThat(types("PL-SI", "versions")).isNotEmpty();
        assertThat(types("si", "timestamps")).contains("result-set-mismatch");

        Path whole = directory.resolve("whole.jsonl");
        assertThat(CommandRun.of("convert", "" + directory.resolve("h.parquet"), "" + whole)
                        .code())
                .isZero();
        List<String> statements = new ArrayList<>();
        int looks = 0;
        for (Map<String, Object> txn : JsonTree.lines(Files.readString(whole))) {
            looks += split(txn, statements);
        }
        Files.write(directory.resolve("statements.jsonl"), statements);
        RunResult result = checked("statements.jsonl", "si", "timestamps");
        assertThat(looks).isPositive();
        assertThat(result.anomalies().stream()
                        .map(anomaly -> String.valueOf(anomaly.type()))
                        .filter(type -> type.equals("result-set-mismatch")))
                .isEmpty();
    }

    /**
     * Removes predicate reads before the first write, each as a separate transaction; returns the number of those with
     * a separate snapshot.
     */
    private static int split(Map<String, Object> txn, List<String> into) {
        List<List<Object>> ops = JsonTree.at(txn, "ops");
        List<Object> left = new ArrayList<>();
        boolean hasWritten = false;
        int looks = 0;
        for (List<Object> op : ops) {
            hasWritten |= op.get(0).equals("w");
            if (!op.get(0).equals("p")) {
                left.add(op);
            } else if (!hasWritten && txn.get("status").equals("committed")) {
                Object own = JsonTree.at(op.get(4), "read_ts");
                looks += own == null ? 0 : 1;
                long id = 1_000_000 + into.size();
                into.add("{\"txn\":" + id + ",\"session\":" + id + ",\"start\":"
                        + (own == null ? txn.get("start") : own) + ",\"ops\":[" + json(op) + "]}");
            }
        }
        txn.put("ops", left);
        txn.put("session", txn.get("txn"));
        into.add(json(txn));
        return looks;
    }

    private static String json(Object value) {
        if (value instanceof Map<?, ?> object) {
            return object.entrySet().stream()
                    .map(entry -> json(entry.getKey()) + ":" + json(entry.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        }
        if (value instanceof List<?> array) {
            return array.stream().map(LoggedRecordingITCase::json).collect(Collectors.joining(",", "[", "]"));
        }
        return value instanceof String text ? "\"" + text.replace("\"", "\\\"") + "\"" : String.valueOf(value);
    }

    // ---------------------------------------------------------------- remaining slots

    @Test
    void slotOfKilledRecordingIsDroppedByNext() throws Exception {
        try (PostgresServer server = PostgresServer.started("15.13.0", LOGICAL)) {
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx128m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Main.class.getName()));
            String[] recording = recording(server.url(), "--duration", "10m", "--sessions", "2", "--rate", "100");
            recording[1] = directory.resolve("killed.parquet").toString();
            command.addAll(List.of(recording));
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("log").toFile())
                    .start();
            awaitWrites(server);
            process.destroyForcibly();
            assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
            String left = slots(server).get(0);
            await(() -> one(server, "SELECT active FROM pg_replication_slots").equals("f"));

            CommandRun run = record(server.url());

            assertThat(run.err()).contains("dropped a slot of an earlier recording: slot=" + left);
            assertThat(summary(run)).containsEntry("log", "complete");
            assertThat(slots(server)).isEmpty();
        }
    }

    // ---------------------------------------------------------------- tools

    /** A failure of a server. */
    @FunctionalInterface
    private interface Accident {
        void happen() throws Exception;
    }

    private CommandRun whileRecording(DatabaseServer server, Accident accident, String... more) throws Exception {
        List<String> args =
                new ArrayList<>(List.of("--rate", "600", "--transactions", "3000", "--reads", "0", "--patience", "5m"));
        args.addAll(List.of(more));
        CompletableFuture<CommandRun> recording =
                CompletableFuture.supplyAsync(() -> record(server.url(), args.toArray(new String[0])));
        awaitWrites(server);
        accident.happen();
        return recording.get(10, TimeUnit.MINUTES);
    }

    private CommandRun record(String url, String... more) {
        CommandRun run = CommandRun.of(recording(url, more));
        assertThat(run.code()).as(run.err()).isZero();
        return run;
    }

    private String[] recording(String url, String... more) {
        List<String> args = new ArrayList<>(
                List.of("record", "" + directory.resolve("h.parquet"), "--jdbc", url, "--keys", "40", "--json"));
        args.addAll(List.of(more));
        if (!args.contains("--duration") && !args.contains("--transactions")) {
            args.addAll(List.of("--transactions", "400"));
        }
        return args.toArray(new String[0]);
    }

    private static Map<String, Object> summary(CommandRun run) {
        return JsonTree.lines(run.out()).get(0);
    }

    private static long number(CommandRun run, String name) {
        return ((Number) summary(run).get(name)).longValue();
    }

    private List<String> types(String levels, String evidence) {
        return checked("h.parquet", levels, evidence).anomalies().stream()
                .map(anomaly -> String.valueOf(anomaly.type()))
                .toList();
    }

    private RunResult checked(String file, String levels, String evidence) {
        CommandRun run = CommandRun.of(
                "check",
                "" + directory.resolve(file),
                "--level",
                levels,
                "--evidence",
                evidence,
                "--lake",
                "none",
                "--json");
        assertThat(run.code()).as(run.out()).isLessThanOrEqualTo(1);
        return RunResultJson.read(run.out());
    }

    /** Returns the existing slots, each followed by the state of its log if the server reports it. */
    private static List<String> slots(DatabaseServer server) throws SQLException {
        List<String> names = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(server.url());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT * FROM pg_replication_slots")) {
            boolean hasStatus = connection.getMetaData().getDatabaseMajorVersion() > 12;
            while (rows.next()) {
                names.add(rows.getString("slot_name"));
                names.add(hasStatus ? rows.getString("wal_status") : "");
            }
        }
        return names;
    }

    private static void endSessions(DatabaseServer server) throws SQLException {
        execute(
                server,
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                        + " WHERE query LIKE '%nightjar_register%' AND pid <> pg_backend_pid()");
    }

    private static String one(DatabaseServer server, String query) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.url());
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            assertThat(row.next()).isTrue();
            return row.getString(1);
        }
    }

    /** Drops the slot of its reader; returns false while the reader has not released it, or has reconnected. */
    private static boolean dropSlot(DatabaseServer server) throws SQLException {
        execute(server, "SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots");
        try {
            execute(server, "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots");
        } catch (SQLException stillRead) {
            return false;
        }
        return slots(server).isEmpty();
    }

    private static void execute(DatabaseServer server, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.url());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void awaitWrites(DatabaseServer server) throws Exception {
        await(() -> {
            try {
                return Long.parseLong(one(server, "SELECT COALESCE(SUM(n), 0) FROM nightjar_register")) > 50;
            } catch (SQLException notYet) {
                return false;
            }
        });
    }

    private static void await(Callable<Boolean> condition) throws Exception {
        long untilNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
        while (!condition.call()) {
            assertThat(System.nanoTime()).isLessThan(untilNs);
            Thread.sleep(20);
        }
    }
}
