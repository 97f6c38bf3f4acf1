package io.nightjar.jobs.mock.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.datasets.random.SeededRandom;
import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.mock.AnswerChooser;
import io.nightjar.jobs.mock.ChoiceMode;
import io.nightjar.jobs.mock.MockArchive;
import io.nightjar.jobs.mock.MockFaults;
import io.nightjar.jobs.mock.MockOptions;
import io.nightjar.jobs.mock.MockRules;
import io.nightjar.jobs.mock.StatementOrder;
import io.nightjar.jobs.mock.server.MockDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests with client threads and real drivers that a recorded order of statements reproduces the archive. */
class StatementReplayTest {

    private static final int CLIENTS = 4;
    private static final int STEPS = 40;
    private static final int PATIENCE_SECONDS = 120;

    @TempDir
    private Path directory;

    private final ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    private final List<String> notes = new CopyOnWriteArrayList<>();

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    private static MockOptions options(IsolationLevel level, long seed, long patienceMs, long delayMs) {
        return new MockOptions(
                level,
                seed,
                new MockOptions.Reads(ChoiceMode.MIXED, seed % 2 == 0, true, Integer.MAX_VALUE),
                new MockOptions.Schedule(seed % 3 == 0, patienceMs),
                new MockFaults(0.05, 0, 0),
                new MockRules(seed % 4 == 1, Map.of(), delayMs));
    }

    /** Work of a client with its connection. */
    @FunctionalInterface
    private interface Work {
        void accept(Connection connection, int client) throws SQLException;
    }

    private void run(MockOptions options, StatementOrder order, Path archive, int clients, Work work) throws Exception {
        AnswerChooser chooser = new AnswerChooser(options.reads().choice(), options.seed(), false);
        try (MockDatabase database =
                new MockDatabase(options, chooser, MockArchive.of(archive), "127.0.0.1", 0, 0, order, notes::add)) {
            try (Connection loader = DriverManager.getConnection(url(database, 0))) {
                load(loader);
            }
            List<Future<Void>> done = new ArrayList<>();
            for (int client = 0; client < clients; client++) {
                int number = client;
                done.add(threads.submit((Callable<Void>) () -> {
                    try (Connection connection = DriverManager.getConnection(url(database, number))) {
                        work.accept(connection, number);
                    }
                    return null;
                }));
            }
            for (Future<Void> one : done) {
                one.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
            waitUntilGone(database);
            database.finish();
        }
    }

    private static void load(Connection loader) throws SQLException {
        try (Statement statement = loader.createStatement()) {
            statement.execute("SET nightjar.phase = 'load'");
            statement.execute("CREATE TABLE t(id INT PRIMARY KEY, v INT)");
            statement.execute("INSERT INTO t VALUES (0, 0), (1, 0), (2, 0)");
            statement.execute("SET nightjar.phase = 'run'");
        }
    }

    /** Waits until the server has processed the disconnect of the last client. */
    private static void waitUntilGone(MockDatabase database) throws InterruptedException {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (database.store().openSessionCount() > 0 && System.nanoTime() < endNs) {
            Thread.sleep(5);
        }
    }

    /** Returns a URL with the client's name, since two clients may begin alike. */
    private static String url(MockDatabase database, int client) {
        return client % 2 == 0
                ? "jdbc:postgresql://127.0.0.1:" + database.port() + "/test?user=test&ApplicationName=c" + client
                : "jdbc:mariadb://127.0.0.1:" + database.mysqlPort()
                        + "/test?user=test&sslMode=disable&connectionAttributes=program_name:c" + client;
    }

    private static void work(Connection connection, SeededRandom random) throws SQLException {
        connection.setAutoCommit(random.below(3) == 0);
        for (int step = 0; step < STEPS; step++) {
            int id = random.below(5);
            try {
                switch (random.below(6)) {
                    case 0 -> query(connection, "SELECT v FROM t WHERE id = ?", id);
                    case 1 -> query(connection, "SELECT sum(v) FROM t WHERE id >= ?", id);
                    case 2 -> update(connection, "UPDATE t SET v = v + 1 WHERE id = ?", id);
                    case 3 -> update(connection, "INSERT INTO t VALUES (?, 7)", id);
                    case 4 -> update(connection, "DELETE FROM t WHERE id = ?", id);
                    default -> {
                        if (!connection.getAutoCommit()) {
                            connection.commit();
                        }
                    }
                }
            } catch (SQLException failed) {
                assertThat(failed.getSQLState()).as("%s", failed).isIn("40001", "23505", "23000");
                if (!connection.getAutoCommit()) {
                    connection.rollback();
                }
            }
        }
        if (!connection.getAutoCommit()) {
            connection.rollback();
        }
    }

    private static void query(Connection connection, String sql, int id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, id);
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
            }
        }
    }

    private static void update(Connection connection, String sql, int id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, id);
            statement.executeUpdate();
        }
    }

    @Tag(Seeds.TAG)
    @Test
    void replayOfConcurrentClientsWritesSameBytes() throws Exception {
        for (long seed : Seeds.upTo(6)) {
            IsolationLevel level =
                    IsolationLevel.all().get((int) (seed % IsolationLevel.all().size()));
            Work work = (connection, client) -> work(connection, new SeededRandom(seed * 31 + client));
            Path first = directory.resolve("first.jsonl");
            Path recording = directory.resolve("first.jsonl.replay");
            run(options(level, seed, 100_000, 1), new StatementRecorder(recording, notes::add), first, CLIENTS, work);

            Path second = directory.resolve("second.jsonl");
            Path again = directory.resolve("second.jsonl.replay");
            StatementReplay replay = new StatementReplay(
                    RecordedRun.read(recording), new StatementRecorder(again, notes::add), notes::add);
            run(options(level, seed, 100_000, 2), replay, second, CLIENTS, work);

            assertThat(replay.misfit()).as("nightjar.seed=%d", seed).isNull();
            assertThat(second).as("nightjar.seed=%d %s", seed, level).hasSameTextualContentAs(first);
            assertThat(again).hasSameTextualContentAs(recording);
        }
    }

    /** Clients without further recorded steps wait for the steps of others, and continue after the last. */
    @Tag(Seeds.TAG)
    @Test
    void cutRecordingIsReplayedToItsLastStep() throws Exception {
        for (long seed : Seeds.upTo(3)) {
            Work work = (connection, client) -> work(connection, new SeededRandom(seed * 31 + client));
            Path recording = directory.resolve("cut.replay");
            MockOptions options = options(IsolationLevel.CAUSAL, seed, 100_000, 1);
            run(options, new StatementRecorder(recording, notes::add), directory.resolve("cut.jsonl"), CLIENTS, work);
            String whole = Files.readString(recording);
            String cut = whole.substring(0, whole.indexOf('\n', whole.length() / 2 + (int) seed) + 1);
            Files.writeString(recording, cut);

            Path again = directory.resolve("again.replay");
            StatementReplay replay = new StatementReplay(
                    RecordedRun.read(recording), new StatementRecorder(again, notes::add), notes::add);
            run(options, replay, directory.resolve("again.jsonl"), CLIENTS, work);

            assertThat(replay.misfit()).as("nightjar.seed=%d", seed).isNull();
            assertThat(Files.readString(again)).as("nightjar.seed=%d", seed).startsWith(cut);
        }
    }

    /** Records clients with one statement each, and replays them with other work. */
    private String misfit(int clients, Work other, long patienceMs) throws Exception {
        Path recording = directory.resolve("small.replay");
        MockOptions options = options(IsolationLevel.CAUSAL, 2, patienceMs, 0);
        Work work = (connection, client) -> query(connection, "SELECT v FROM t WHERE id = ?", client);
        run(options, new StatementRecorder(recording, notes::add), directory.resolve("small.jsonl"), clients, work);
        StatementReplay replay = new StatementReplay(RecordedRun.read(recording), StatementOrder.NONE, notes::add);
        run(options, replay, directory.resolve("other.jsonl"), clients, other);
        assertThat(notes).anyMatch(note -> note.endsWith(replay.misfit()));
        assertThat(directory.resolve("other.jsonl")).content().contains("\"committed\"");
        return replay.misfit();
    }

    @Test
    void clientThatDeviatesIsReported() throws Exception {
        assertThat(misfit(
                        2, (connection, client) -> query(connection, "SELECT v FROM t WHERE id < ?", client), 100_000))
                .contains("a client did something else: came=SELECT v FROM t WHERE id < ");
    }

    @Test
    void missingClientIsReportedAfterTimeout() throws Exception {
        Work secondOnly = (connection, client) -> {
            query(connection, "SELECT v FROM t WHERE id = ?", client);
            query(connection, "SELECT v FROM t WHERE id = ?", client);
        };
        assertThat(misfit(1, secondOnly, 300)).contains("a client did something else");
        assertThat(misfit(
                        2,
                        (connection, client) -> {
                            if (client == 1) {
                                query(connection, "SELECT v FROM t WHERE id = ?", client);
                            }
                        },
                        300))
                .contains("expected=SELECT v FROM t WHERE id = ");
    }

    /** No client has deviated from the recording. */
    @Test
    void mockStoppedBeforeClientsArriveDoesNotDiffer() throws Exception {
        Work work = (connection, client) -> query(connection, "SELECT v FROM t WHERE id = ?", client);
        Path recording = directory.resolve("early.replay");
        MockOptions options = options(IsolationLevel.CAUSAL, 2, 100_000, 0);
        run(options, new StatementRecorder(recording, notes::add), directory.resolve("early.jsonl"), 2, work);
        StatementReplay replay = new StatementReplay(RecordedRun.read(recording), StatementOrder.NONE, notes::add);
        AnswerChooser chooser = new AnswerChooser(options.reads().choice(), options.seed(), false);
        new MockDatabase(
                        options,
                        chooser,
                        MockArchive.of(directory.resolve("none.jsonl")),
                        "127.0.0.1",
                        0,
                        MockDatabase.NO_PORT,
                        replay,
                        notes::add)
                .close();

        assertThat(replay.misfit()).isNull();
        assertThat(replay.isWhole()).isFalse();
        assertThat(notes)
                .anyMatch(note ->
                        note.contains("stopped before the replay's end, the statements that came match: step=1"));
    }

    /** The server may learn of a client's last disconnection in one run, and be stopped before in the other. */
    @Test
    void lastDisconnectionsAreNotAwaited() throws Exception {
        Path recording = directory.resolve("last.replay");
        MockOptions options = options(IsolationLevel.CAUSAL, 2, 100_000, 0);
        Work work = (connection, client) -> query(connection, "SELECT v FROM t WHERE id = ?", client);
        run(options, new StatementRecorder(recording, notes::add), directory.resolve("last.jsonl"), 1, work);
        StatementReplay replay = new StatementReplay(RecordedRun.read(recording), StatementOrder.NONE, notes::add);
        try (MockDatabase database = new MockDatabase(
                options,
                new AnswerChooser(options.reads().choice(), options.seed(), false),
                MockArchive.of(directory.resolve("again.jsonl")),
                "127.0.0.1",
                0,
                MockDatabase.NO_PORT,
                replay,
                notes::add)) {
            try (Connection loader = DriverManager.getConnection(url(database, 0))) {
                load(loader);
            }
            waitUntilGone(database);
            try (Connection client = DriverManager.getConnection(url(database, 0))) {
                assertThat(replay.isWhole()).isFalse();
                work.accept(client, 0);
                database.finish();
                assertThat(replay.isWhole()).isTrue();
            }
        }
        assertThat(replay.misfit()).isNull();
        assertThat(notes).isEmpty();
    }

    @Test
    void aFullDiskEndsTheRecordingAndNotTheRun() throws Exception {
        Path full = Path.of("/dev/full");
        Assumptions.assumeTrue(Files.isWritable(full));
        Work work = (connection, client) -> query(connection, "SELECT v FROM t WHERE id = ?", client);
        Path archive = directory.resolve("full.jsonl");
        run(options(IsolationLevel.CAUSAL, 2, 100_000, 0), new StatementRecorder(full, notes::add), archive, 2, work);

        assertThat(notes)
                .anyMatch(note -> note.contains("the order of statements is no longer recorded: file=/dev/full"));
        assertThat(archive).content().contains("\"committed\"");
    }

    @Test
    void recordingOfKilledMockIsReadToLastCompleteLine() throws Exception {
        Path recording = directory.resolve("whole.replay");
        Work work = (connection, client) -> work(connection, new SeededRandom(client));
        run(
                options(IsolationLevel.CAUSAL, 2, 100_000, 0),
                new StatementRecorder(recording, notes::add),
                directory.resolve("whole.jsonl"),
                2,
                work);
        String whole = Files.readString(recording);
        int steps = RecordedRun.read(recording).count();
        assertThat(RecordedRun.read(recording).isComplete()).isTrue();
        Files.writeString(recording, whole.substring(0, whole.lastIndexOf('{') - 3));
        assertThat(RecordedRun.read(recording).isComplete()).isFalse();
        assertThat(RecordedRun.read(recording).count()).isEqualTo(steps - 1);

        Files.writeString(recording, whole.replaceFirst("\n\\[0,", "\n[17,"));
        assertThatThrownBy(() -> RecordedRun.read(recording))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no recorded order of statements: file=" + recording + " line=3");
        Files.writeString(recording, "{\"schema\":1,\"recorded\":\"statements\"}\n");
        assertThatThrownBy(() -> RecordedRun.read(recording)).hasMessageContaining("missing=isolation");
    }
}
