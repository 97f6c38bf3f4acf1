package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.datasets.random.SeededRandom;
import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.cli.ClientView.Kind;
import io.nightjar.jobs.cli.ClientView.Step;
import io.nightjar.jobs.cli.ClientView.Txn;
import io.nightjar.jobs.mock.AnswerChooser;
import io.nightjar.jobs.mock.ChoiceMode;
import io.nightjar.jobs.mock.MockArchive;
import io.nightjar.jobs.mock.MockFaults;
import io.nightjar.jobs.mock.MockOptions;
import io.nightjar.jobs.mock.server.MockDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Results of statements, counts included, that clients of a mock observe. */
class MockCountsTest {

    private static final int SCHEDULES = 12;
    private static final int MAX_TXNS = 6;

    @TempDir
    private Path directory;

    @Tag(Seeds.TAG)
    @ParameterizedTest
    @EnumSource(
            value = IsolationLevel.class,
            names = {"READ_COMMITTED", "READ_ATOMIC", "CAUSAL", "PREFIX", "SNAPSHOT_ISOLATION", "SERIALIZABLE"})
    void resultsAreExplainedAtTheLevel(IsolationLevel level) throws Exception {
        for (long seed : Seeds.upTo(4)) {
            Path archive = directory.resolve(level.shortName() + seed + ".jsonl");
            MockOptions options = options(level, seed);
            AnswerChooser chooser = new AnswerChooser(options.reads().choice(), seed, false);
            try (MockDatabase database = new MockDatabase(
                    options, chooser, MockArchive.of(archive), "127.0.0.1", 0, MockDatabase.NO_PORT, note -> {})) {
                String url = "jdbc:postgresql://127.0.0.1:" + database.port() + "/test?user=test";
                SeededRandom random = new SeededRandom(new SeededRandom(seed).next());
                for (int schedule = 0; schedule < SCHEDULES; schedule++) {
                    try (Schedule run = new Schedule(url, "t" + schedule, random)) {
                        run.run();
                        assertThat(run.view(level).isExplained())
                                .as("nightjar.seed=%d %s%n%s", seed, options, run.text())
                                .isTrue();
                    }
                }
                database.finish();
            }
            assertHolds(archive, level, seed);
        }
    }

    /** The count of an UPDATE is a read of the row's existence, which a deletion that commits first makes false. */
    @ParameterizedTest
    @EnumSource(
            value = IsolationLevel.class,
            names = {"PREFIX", "SNAPSHOT_ISOLATION", "SERIALIZABLE"})
    void updateOfMeanwhileDeletedRowFails(IsolationLevel level) throws Exception {
        MockOptions options = MockOptions.of(level, 1);
        AnswerChooser chooser = new AnswerChooser(ChoiceMode.NEWEST, 1, false);
        Path archive = directory.resolve("deleted.jsonl");
        try (MockDatabase database = new MockDatabase(
                        options, chooser, MockArchive.of(archive), "127.0.0.1", 0, MockDatabase.NO_PORT, note -> {});
                Connection updater = client(database);
                Connection deleter = client(database)) {
            assertThat(update(deleter, "INSERT INTO t VALUES (2, 1)")).isOne();
            deleter.commit();
            assertThat(update(updater, "UPDATE t SET v = 7 WHERE k = 2")).isOne();
            assertThat(update(deleter, "DELETE FROM t WHERE k = 2")).isOne();
            deleter.commit();

            assertThatThrownBy(updater::commit)
                    .isInstanceOfSatisfying(SQLException.class, failed -> assertThat(failed.getSQLState())
                            .isEqualTo("40001"));
        }
    }

    @Test
    void updateOfInsertedRowIsArchivedAsWriteAlone() throws Exception {
        for (IsolationLevel level : IsolationLevel.all()) {
            Path archive = directory.resolve("inserted-" + level.shortName() + ".jsonl");
            AnswerChooser chooser = new AnswerChooser(ChoiceMode.NEWEST, 1, false);
            try (MockDatabase database = new MockDatabase(
                            MockOptions.of(level, 1),
                            chooser,
                            MockArchive.of(archive),
                            "127.0.0.1",
                            0,
                            MockDatabase.NO_PORT,
                            note -> {});
                    Connection one = client(database);
                    Connection other = client(database)) {
                assertThat(update(one, "INSERT INTO t VALUES (2, 1)")).isOne();
                one.commit();
                assertThat(update(other, "UPDATE t SET v = 7 WHERE k = 2")).isOne();
                other.commit();
                database.finish();
            }
            assertThat(Files.readString(archive)).contains("[\"w\",\"t/2\"").doesNotContain("[\"r\",\"t/2\"");
            assertHolds(archive, level, 1);
        }
    }

    private static Connection client(MockDatabase database) throws SQLException {
        String url = "jdbc:postgresql://127.0.0.1:" + database.port() + "/test?user=test";
        Connection connection = DriverManager.getConnection(url);
        update(connection, "CREATE TABLE IF NOT EXISTS t (k INT PRIMARY KEY, v INT)");
        connection.setAutoCommit(false);
        return connection;
    }

    private static int update(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate(sql);
        }
    }

    /** The histories that the brute force accepts at each level, for two clients and two rows that are 1. */
    @Test
    void bruteForceSeparatesTheLevels() {
        Step readFirst = new Step(Kind.SELECT_KEY, 0, 0, 0, "1");
        Step readSecond = new Step(Kind.SELECT_KEY, 1, 0, 0, "1");
        Step writeFirst = new Step(Kind.UPDATE_KEY, 0, 5, 0, "1");
        Step writeSecond = new Step(Kind.UPDATE_KEY, 1, 6, 0, "1");
        Step readWrittenFirst = new Step(Kind.SELECT_KEY, 0, 0, 0, "5");
        Step readWrittenSecond = new Step(Kind.SELECT_KEY, 1, 0, 0, "6");
        Step delete = new Step(Kind.DELETE_KEY, 0, 0, 0, "1");
        Step readDeleted = new Step(Kind.SELECT_KEY, 0, 0, 0, "-1");

        List<Step> both = List.of(readFirst, readSecond);
        assertThat(levels(plus(both, writeFirst), plus(both, writeSecond))).isEqualTo("rc ra cc pc si");
        assertThat(levels(List.of(readFirst, writeFirst), List.of(readFirst, new Step(Kind.ADD_KEY, 0, 8, 0, "1"))))
                .isEqualTo("rc ra cc pc");
        assertThat(levels(
                        List.of(writeFirst, readSecond),
                        List.of(writeSecond, readFirst),
                        List.of(readWrittenFirst, readSecond),
                        List.of(readWrittenSecond, readFirst)))
                .isEqualTo("rc ra cc");
        assertThat(levels(
                        List.of(writeFirst),
                        List.of(readWrittenFirst, writeSecond),
                        List.of(readWrittenSecond, readFirst)))
                .isEqualTo("rc ra");
        assertThat(levels(List.of(writeFirst, writeSecond), List.of(readFirst, readWrittenSecond)))
                .isEqualTo("rc");
        assertThat(levels(List.of(writeFirst, writeSecond), List.of(readWrittenFirst, readSecond)))
                .isEmpty();
        assertThat(levels(List.of(delete), List.of(writeFirst), List.of(readDeleted, readWrittenFirst)))
                .isEqualTo("rc");
    }

    private static List<Step> plus(List<Step> steps, Step last) {
        List<Step> all = new ArrayList<>(steps);
        all.add(last);
        return all;
    }

    /** Returns the levels at which transactions of one session each are explained. */
    @SafeVarargs
    private static String levels(List<Step>... txns) {
        List<Txn> committed = new ArrayList<>();
        for (int session = 0; session < txns.length; session++) {
            committed.add(new Txn(session, txns[session]));
        }
        return IsolationLevel.all().stream()
                .filter(level -> new ClientView(level, new int[] {1, 1}, committed, txns.length).isExplained())
                .map(IsolationLevel::shortName)
                .collect(Collectors.joining(" "));
    }

    private void assertHolds(Path archive, IsolationLevel level, long seed) throws Exception {
        CommandRun run = CommandRun.check(archive, directory.resolve("lake"), "--level", level.shortName());
        assertThat(run.code()).as("nightjar.seed=%d %s %s", seed, level, run).isZero();
    }

    private static MockOptions options(IsolationLevel level, long seed) {
        return new MockOptions(
                level,
                seed,
                new MockOptions.Reads(
                        seed % 2 == 0 ? ChoiceMode.MIXED : ChoiceMode.UNIFORM, seed % 4 != 3, true, Integer.MAX_VALUE),
                new MockOptions.Schedule(false, 30_000),
                MockFaults.NONE);
    }

    /** Clients that take turns at random in a separate table. */
    private static final class Schedule implements AutoCloseable {

        private final String table;
        private final SeededRandom random;
        private final int[] initial;
        private final List<Connection> clients = new ArrayList<>();
        private final List<List<Step>> open = new ArrayList<>();
        private final List<Savepoint> savepoints = new ArrayList<>();
        private final List<Txn> committed = new ArrayList<>();
        private final StringBuilder text = new StringBuilder();
        private int written = 10;

        Schedule(String url, String table, SeededRandom random) throws SQLException {
            this.table = table;
            this.random = random;
            this.initial = new int[1 + random.below(3)];
            Arrays.fill(initial, ClientView.ABSENT);
            try (Connection loader = DriverManager.getConnection(url);
                    Statement statement = loader.createStatement()) {
                statement.execute("SET nightjar.phase = 'load'");
                statement.execute("CREATE TABLE " + table + "(k INT PRIMARY KEY, v INT)");
                if (random.below(2) == 0) {
                    statement.execute("CREATE INDEX ON " + table + "(v)");
                }
                for (int key = 0; key < initial.length; key++) {
                    if (random.below(3) > 0) {
                        initial[key] = key + 1;
                        statement.execute("INSERT INTO " + table + " VALUES (" + key + ", " + (key + 1) + ")");
                    }
                }
                statement.execute("SET nightjar.phase = 'run'");
            }
            int count = 2 + random.below(3);
            for (int client = 0; client < count; client++) {
                Connection connection = DriverManager.getConnection(url);
                connection.setAutoCommit(false);
                clients.add(connection);
                open.add(new ArrayList<>());
                savepoints.add(null);
            }
        }

        void run() throws SQLException {
            int ended = 0;
            while (ended < MAX_TXNS) {
                int client = random.below(clients.size());
                try {
                    boolean ends = !open.get(client).isEmpty() && random.below(3) == 0;
                    if (ends) {
                        clients.get(client).commit();
                        committed.add(new Txn(client, List.copyOf(open.get(client))));
                        end(client, "COMMIT");
                        ended++;
                    } else {
                        step(client);
                    }
                } catch (SQLException failed) {
                    assertThat(failed.getSQLState()).as("%s", failed).isIn("40001", "23505");
                    clients.get(client).rollback();
                    end(client, failed.getMessage());
                    ended++;
                }
            }
            for (Connection client : clients) {
                client.rollback();
            }
        }

        private void end(int client, String how) {
            open.get(client).clear();
            savepoints.set(client, null);
            text.append('\n').append(client).append(' ').append(how);
        }

        private void step(int client) throws SQLException {
            int key = random.below(initial.length);
            int value = ++written;
            int bound = random.below(written);
            boolean isPlain = random.below(2) == 0;
            Kind kind = Kind.values()[random.below(Kind.values().length)];
            if (kind == Kind.ROLLBACK_TO && savepoints.get(client) == null) {
                kind = Kind.SAVEPOINT;
            }
            String result = execute(client, kind, key, value, bound, isPlain);
            Step step = new Step(kind, key, value, bound, result);
            open.get(client).add(step);
            text.append('\n').append(client).append(' ').append(step);
        }

        private String execute(int client, Kind kind, int key, int value, int bound, boolean isPlain)
                throws SQLException {
            String ofKey = " WHERE k = " + key;
            String ofRange = " WHERE v >= " + bound;
            return switch (kind) {
                case SAVEPOINT -> {
                    savepoints.set(client, clients.get(client).setSavepoint());
                    yield "0";
                }
                case ROLLBACK_TO -> {
                    clients.get(client).rollback(savepoints.get(client));
                    yield "0";
                }
                case SELECT_KEY -> {
                    String row = query(client, "SELECT v FROM " + table + ofKey);
                    yield row.isEmpty() ? "" + ClientView.ABSENT : row.trim();
                }
                case SELECT_RANGE -> query(client, "SELECT k || '=' || v FROM " + table + ofRange + " ORDER BY k");
                case INSERT ->
                    update(
                            client,
                            "INSERT INTO " + table + " VALUES (" + key + ", " + value + ")"
                                    + (isPlain ? "" : " ON CONFLICT DO NOTHING"));
                case UPDATE_KEY -> update(client, "UPDATE " + table + " SET v = " + value + ofKey);
                case ADD_KEY -> update(client, "UPDATE " + table + " SET v = v + " + value + ofKey);
                case DELETE_KEY -> update(client, "DELETE FROM " + table + ofKey);
                case UPDATE_RANGE -> update(client, "UPDATE " + table + " SET v = " + value + ofRange);
                case DELETE_RANGE -> update(client, "DELETE FROM " + table + ofRange);
            };
        }

        private String query(int client, String sql) throws SQLException {
            StringBuilder rows = new StringBuilder();
            try (Statement statement = clients.get(client).createStatement();
                    ResultSet result = statement.executeQuery(sql)) {
                while (result.next()) {
                    rows.append(result.getString(1)).append(' ');
                }
            }
            return rows.toString();
        }

        private String update(int client, String sql) throws SQLException {
            return "" + MockCountsTest.update(clients.get(client), sql);
        }

        ClientView view(IsolationLevel level) {
            return new ClientView(level, initial, committed, clients.size());
        }

        String text() {
            StringBuilder text = new StringBuilder("initial=" + Arrays.toString(initial));
            for (Txn txn : committed) {
                text.append("\nclient ").append(txn.session());
                txn.steps().forEach(step -> text.append("\n    ").append(step));
            }
            return text.append("\nin the order of execution").append(this.text).toString();
        }

        @Override
        public void close() throws SQLException {
            for (Connection client : clients) {
                client.close();
            }
        }
    }
}
