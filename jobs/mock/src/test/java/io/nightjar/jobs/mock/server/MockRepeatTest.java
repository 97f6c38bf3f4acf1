package io.nightjar.jobs.mock.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.datasets.random.SeededRandom;
import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.mock.AnswerChooser;
import io.nightjar.jobs.mock.ChoiceMode;
import io.nightjar.jobs.mock.MockArchive;
import io.nightjar.jobs.mock.MockOptions;
import io.nightjar.jobs.mock.MockRules;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that equal seeds and statement orders produce equal archives, and that table rules apply. */
class MockRepeatTest {

    private static final int STEPS = 120;

    @TempDir
    private Path directory;

    /** Returns the archive of three connections in one thread, which take turns by a seed. */
    private String archive(MockOptions options, String name) throws Exception {
        Path out = directory.resolve(name + ".jsonl");
        AnswerChooser chooser = new AnswerChooser(options.reads().choice(), options.seed(), false);
        try (MockDatabase database = new MockDatabase(
                options, chooser, MockArchive.of(out), "127.0.0.1", 0, MockDatabase.NO_PORT, note -> {})) {
            String url = "jdbc:postgresql://127.0.0.1:" + database.port() + "/test?user=test";
            try (Connection one = DriverManager.getConnection(url);
                    Connection two = DriverManager.getConnection(url);
                    Connection three = DriverManager.getConnection(url)) {
                MockClients.update(one, "CREATE TABLE t(id INT PRIMARY KEY, v INT)");
                Connection[] all = {one, two, three};
                SeededRandom random = new SeededRandom(options.seed());
                for (Connection connection : all) {
                    connection.setAutoCommit(false);
                }
                for (int step = 0; step < STEPS; step++) {
                    step(all[random.below(all.length)], random);
                }
                for (Connection connection : all) {
                    connection.rollback();
                }
            }
            database.finish();
        }
        return Files.readString(out);
    }

    private static void step(Connection connection, SeededRandom random) throws SQLException {
        int id = random.below(4);
        try {
            switch (random.below(5)) {
                case 0 -> MockClients.number(connection, "SELECT v FROM t WHERE id = " + id);
                case 1 -> MockClients.number(connection, "SELECT sum(v) FROM t");
                case 2 -> MockClients.update(connection, "UPDATE t SET v = v + 1 WHERE id = " + id);
                case 3 -> MockClients.update(connection, "INSERT INTO t VALUES (" + id + ", 1) ON CONFLICT DO NOTHING");
                default -> connection.commit();
            }
        } catch (SQLException failed) {
            assertThat(failed.getSQLState()).as("%s", failed).isIn("40001", "23505");
            connection.rollback();
        }
    }

    @Tag(Seeds.TAG)
    @Test
    void theSameOrderOfStatementsLeavesTheSameBytes() throws Exception {
        for (long seed : Seeds.upTo(2)) {
            for (IsolationLevel level : IsolationLevel.all()) {
                MockOptions options = MockOptions.of(level, seed);
                MockOptions slower = options.with(new MockRules(false, Map.of(), 1));
                String first = archive(options, "a");

                assertThat(archive(slower, "b"))
                        .as("nightjar.seed=%d %s", seed, level)
                        .isEqualTo(first);
            }
        }
    }

    @Test
    void aTableHasARuleOfItsOwn() throws Exception {
        MockRules newestLog = new MockRules(false, Map.of("log", ChoiceMode.NEWEST), 0);
        int staleLogs = 0;
        int staleOthers = 0;
        for (long seed = 1; seed <= 10; seed++) {
            MockOptions options = MockClients.options(IsolationLevel.READ_COMMITTED, seed, true);
            try (MockClients clients = new MockClients(options.with(newestLog))) {
                clients.load("CREATE TABLE log(id INT PRIMARY KEY, v INT)", "INSERT INTO log VALUES (1, 0)");
                clients.load("CREATE TABLE other(id INT PRIMARY KEY, v INT)", "INSERT INTO other VALUES (1, 0)");
                Connection writer = clients.connect();
                MockClients.update(writer, "UPDATE log SET v = 1 WHERE id = 1");
                MockClients.update(writer, "UPDATE other SET v = 1 WHERE id = 1");
                staleLogs += MockClients.number(clients.connect(), "SELECT v FROM log WHERE id = 1") == 1 ? 0 : 1;
                staleOthers += MockClients.number(clients.connect(), "SELECT v FROM other WHERE id = 1") == 1 ? 0 : 1;
            }
        }
        assertThat(staleLogs).isZero();
        assertThat(staleOthers).isPositive();
    }
}
