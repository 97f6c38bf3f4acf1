package io.nightjar.jobs.cli;

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
import io.nightjar.jobs.mock.server.MockDatabase;
import java.io.IOException;
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
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With arbitrary clients over a real driver, the archive of a mock keeps the level, and mostly not the next one. */
class MockArchiveTest {

    private static final int SESSIONS = 4;
    private static final int TRANSACTIONS = 60;
    private static final int KEYS = 6;
    private static final String SEARCH = "[\"p\",";
    private static final String SEARCHES = ",\"searches\":[";

    /** The first row of a search. */
    private static final Pattern FOUND_ROW =
            Pattern.compile("\\[\"p\",\"(?:[^\"\\\\]|\\\\.)*\",\\[[^]]*\\],\\[(\\[\"r\"[^]]*\\],?)");

    @TempDir
    private Path directory;

    @Tag(Seeds.TAG)
    @Test
    void archivesKeepTheirLevelByValuesAndByTimestamps() throws Exception {
        for (long seed : Seeds.upTo(3)) {
            for (IsolationLevel level : IsolationLevel.all()) {
                Path archive = record(options(level, seed, true), "a" + seed + level.shortName());

                assertHolds(archive, level, seed);
            }
        }
    }

    /** A comment of the statement, and the name of the application. */
    @Test
    void theArchiveSaysWhereCallsCameFrom() throws Exception {
        Path out = directory.resolve("site.jsonl");
        MockOptions options = options(IsolationLevel.CAUSAL, 1, true);
        AnswerChooser chooser = new AnswerChooser(options.reads().choice(), options.seed(), false);
        try (MockDatabase database = new MockDatabase(
                options, chooser, MockArchive.of(out), "127.0.0.1", 0, MockDatabase.NO_PORT, note -> {})) {
            String url = "jdbc:postgresql://127.0.0.1:" + database.port() + "/test?user=test&ApplicationName=shop";
            load(url);
            try (Connection connection = DriverManager.getConnection(url);
                    Statement statement = connection.createStatement()) {
                statement.execute("/* Cart.java:42 */ SELECT balance FROM account WHERE id = 0");
                query(connection, "SELECT balance FROM account WHERE id = ? /*file='Cart.java',line='43'*/", 2);
            }
        }
        assertThat(Files.readString(out))
                .contains("\"statements\":[\"/* Cart.java:42 */ SELECT balance FROM account WHERE id = 0\"]")
                .contains("WHERE id = $1 /*file='Cart.java',line='43'*/\"]")
                .contains("\"client\":\"shop\"");
    }

    @Test
    void rowsAndDeletionsAreArchivedAtCheckedLevels() throws Exception {
        for (IsolationLevel level : IsolationLevel.all()) {
            Path archive = record(options(level, 5, true), "p" + level.shortName());
            boolean isJudged = level.compareTo(IsolationLevel.SNAPSHOT_ISOLATION) >= 0;
            String text = Files.readString(archive);

            assertThat(text).as("%s", level).contains(SEARCH);
            assertThat(text.contains(",null,{\"relation\"")).as("%s", level).isNotEqualTo(isJudged);
            assertThat(text.contains("[\"d\",")).as("%s", level).isEqualTo(isJudged);
            CommandRun run = CommandRun.check(archive, directory.resolve("lake"), "--level", level.shortName());
            assertThat(run.code()).as("%s", run).isZero();
            assertThat(run.out().contains("\"evidence\":\"timestamps\"")).isEqualTo(isJudged);
        }
    }

    /** By items alone two transactions that counted nothing and then inserted would be serializable. */
    @Test
    void missingItemDataIsUndecided() throws Exception {
        Path archive = directory.resolve("phantom.jsonl");
        MockOptions options = options(IsolationLevel.CAUSAL, 1, true);
        AnswerChooser chooser = new AnswerChooser(options.reads().choice(), options.seed(), false);
        try (MockDatabase database = new MockDatabase(
                options, chooser, MockArchive.of(archive), "127.0.0.1", 0, MockDatabase.NO_PORT, note -> {})) {
            String url = "jdbc:postgresql://127.0.0.1:" + database.port() + "/test?user=test";
            try (Connection one = DriverManager.getConnection(url);
                    Connection two = DriverManager.getConnection(url)) {
                update(one, "CREATE TABLE late(id INT PRIMARY KEY, v INT)");
                for (Connection connection : List.of(one, two)) {
                    connection.setAutoCommit(false);
                    query(connection, "SELECT count(*) FROM late WHERE v >= ?", 0);
                }
                update(one, "INSERT INTO late VALUES (1, ?)", 1);
                update(two, "INSERT INTO late VALUES (2, ?)", 1);
                one.commit();
                two.commit();
            }
            database.finish();
        }
        CommandRun run = CommandRun.check(archive, directory.resolve("lake"), "--level", "cc,ser");
        assertThat(run.out())
                .contains("\"causal\":{\"verdict\":\"holds\"")
                .contains("\"serializable\":{\"verdict\":\"undecided\"");
    }

    /**
     * Reason why they are reads of items in other tests: without snapshots below pc, and with them at pc, predicate
     * reads and deletions leave levels open.
     */
    @Test
    void searchesAndDeletionsRuleOutNoWeakLevel() throws Exception {
        Path archive = record(options(IsolationLevel.SNAPSHOT_ISOLATION, 5, true), "w");
        String whole = Files.readString(archive);
        assertThat(whole).contains(SEARCH).contains("[\"d\",");
        Files.writeString(archive, whole.replaceAll(",\"start\":[-0-9]+,\"commit\":[-0-9]+}", "}"));
        for (String level : List.of("rc", "ra", "cc")) {
            for (String evidence : List.of("auto", "values")) {
                CommandRun run =
                        CommandRun.check(archive, directory.resolve("lake"), "--level", level, "--evidence", evidence);
                assertThat(run.code())
                        .as("%s %s %s", level, evidence, run)
                        .isIn(0, 2); // 0 if few transactions overlapped
            }
        }
        CommandRun guarded = CommandRun.check(archive, directory.resolve("lake"), "--level", "pc");
        assertThat(guarded.code()).as(guarded.toString()).isZero();
        Path prefix = directory.resolve("prefix.txt");
        Files.writeString(
                prefix,
                """
                s0 T1 [1,2]: w(t/1,'{"v":0}')@1 d(t/2)@1
                s1 T2 [3,5]: p[t]("v >= ?",[0],1) r(t/1,'{"v":0}')@1 w(t/1,'{"v":1}')@2
                s2 T3 [4,6]: p[t]("v >= ?",[0],1) r(t/1,'{"v":0}')@1 w(t/1,'{"v":2}')@3
                """);
        CommandRun run = CommandRun.check(prefix, directory.resolve("lake"), "--level", "pc,si");
        assertThat(run.out())
                .contains("\"prefix\":{\"verdict\":\"undecided\"")
                .contains("\"snapshot-isolation\":{\"verdict\":\"violated\"");
    }

    /**
     * If a row that a predicate read should have found is removed from the archive's text, it is reported as missed.
     */
    @Test
    void aRowThatASearchShouldHaveFoundIsMissed() throws Exception {
        Path archive = record(options(IsolationLevel.SNAPSHOT_ISOLATION, 6, true), "q");
        String whole = Files.readString(archive);
        Matcher found = FOUND_ROW.matcher(whole);
        int missed = 0;
        while (found.find()) {
            Files.writeString(archive, whole.substring(0, found.start(1)) + whole.substring(found.end(1)));
            CommandRun run = CommandRun.check(archive, directory.resolve("lake"), "--level", "si");
            missed += run.code() == 1 && run.out().contains("result-set-mismatch") ? 1 : 0;
            if (missed > 0) {
                break;
            }
        }
        assertThat(missed).isPositive();
    }

    @Tag(Seeds.TAG)
    @Test
    void archivesKeepTheirLevelAlsoWhereUpdatesReadAnything() throws Exception {
        for (long seed : Seeds.upTo(2)) {
            for (IsolationLevel level : IsolationLevel.all()) {
                Path archive = record(options(level, seed, false), "b" + seed + level.shortName());

                assertHolds(archive, level, seed);
            }
        }
    }

    @Tag(Seeds.TAG)
    @Test
    void archivesKeepTheirLevelAlsoWhereColumnsAreObjects() throws Exception {
        for (long seed : Seeds.upTo(2)) {
            for (IsolationLevel level : IsolationLevel.all()) {
                Path archive = record(options(level, seed, seed % 2 == 0).byCell(), "d" + seed + level.shortName());

                assertHolds(archive, level, seed);
            }
        }
    }

    /**
     * The store records outcomes that clients never learned: a transaction that reads from such a transaction names it.
     */
    @Tag(Seeds.TAG)
    @Test
    void archivesKeepTheirLevelWhereCommitsAreNotAnswered() throws Exception {
        MockFaults faults = MockFaults.parse("abort=0.05,unknown-commit=0.2,disconnect=0.02");
        for (long seed : Seeds.upTo(1)) {
            for (IsolationLevel level : IsolationLevel.all()) {
                Path archive = record(options(level, seed, true, faults), "f" + seed + level.shortName());

                assertThat(Files.readString(archive)).contains("\"status\":\"unknown\"");
                assertHolds(archive, level, seed);
                assertHolds(killed(archive), level, seed);
            }
        }
    }

    /** Of a server that is killed the values prove the level, also where a finished archive has timestamps for that. */
    @Test
    void archivesOfKilledServersKeepTheirLevel() throws Exception {
        for (IsolationLevel level : List.of(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.SERIALIZABLE)) {
            Path archive = record(options(level, 8, true), "k" + level.shortName());

            assertThat(killed(archive)).content().contains(SEARCHES).doesNotContain("\"commit\":");
            assertHolds(killed(archive), level, 8);
            assertThat(archive).content().contains(SEARCH).doesNotContain(SEARCHES);
        }
    }

    /** The state after a server was killed during a write of several pages. */
    @Test
    void onlyKilledServerMayHaveCutLastLine() throws Exception {
        for (IsolationLevel level : List.of(IsolationLevel.CAUSAL, IsolationLevel.SERIALIZABLE)) {
            Path archive = record(options(level, 9, true), "t" + level.shortName());
            assertHolds(archive, level, 9);
            assertThat(CommandRun.check(archive, directory.resolve("lake"), "--level", "rc")
                            .out())
                    .doesNotContain("\"L30\"");
            for (Path file : List.of(killed(archive), archive)) {
                String whole = Files.readString(file);
                Files.writeString(file, whole.substring(0, whole.length() - 9));
            }
            assertHolds(killed(archive), level, 9);
            assertThat(CommandRun.check(killed(archive), directory.resolve("lake"), "--level", "rc")
                            .out())
                    .contains("\"L30\"");
            assertThat(CommandRun.of(
                                    "convert",
                                    killed(archive).toString(),
                                    directory.resolve("copy.jsonl").toString())
                            .err())
                    .contains("L30 the recording is incomplete");
            assertThat(CommandRun.check(archive, directory.resolve("lake"), "--level", "rc")
                            .code())
                    .isEqualTo(3);
        }
    }

    /** Returns the content of the disk before the server ended. */
    private static Path killed(Path archive) {
        return archive.resolveSibling("killed-" + archive.getFileName());
    }

    @Test
    void anArchiveThatAnotherServerWritesIsLeftAlone() throws Exception {
        for (String name : List.of("c.jsonl", "c")) {
            Path out = directory.resolve(name);
            MockArchive first = MockArchive.of(out);
            first.begin();
            try (MockArchive second = MockArchive.of(out)) {
                assertThatThrownBy(second::begin)
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("another server writes this archive: --history=" + out);
            }
            first.close();
            try (MockArchive third = MockArchive.of(out)) {
                third.begin();
            }
        }
    }

    private void assertHolds(Path archive, IsolationLevel level, long seed) throws IOException {
        CommandRun byDefault = CommandRun.check(archive, directory.resolve("lake"), "--level", level.shortName());
        assertThat(byDefault.code())
                .as("nightjar.seed=%d %s %s%n%s", seed, level, archive, byDefault.out())
                .isZero();
        String text = Files.readString(archive);
        boolean isJudged = level.compareTo(IsolationLevel.SNAPSHOT_ISOLATION) >= 0;
        if (isJudged && text.contains(SEARCH) && !text.contains(SEARCHES)) {
            return; // values do not determine the result of a predicate read
        }
        CommandRun byValues = CommandRun.check(
                archive, directory.resolve("lake"), "--level", level.shortName(), "--evidence", "values");
        assertThat(byValues.code())
                .as("nightjar.seed=%d %s %s%n%s", seed, level, archive, byValues.out())
                .isZero();
    }

    private static MockOptions options(IsolationLevel level, long seed, boolean updatesReadNewest) {
        return options(level, seed, updatesReadNewest, MockFaults.NONE);
    }

    private static MockOptions options(IsolationLevel level, long seed, boolean updatesReadNewest, MockFaults faults) {
        return new MockOptions(
                level,
                seed,
                new MockOptions.Reads(ChoiceMode.MIXED, updatesReadNewest, true, Integer.MAX_VALUE),
                new MockOptions.Schedule(false, 1_000),
                faults);
    }

    private Path record(MockOptions options, String name) throws Exception {
        Path out = directory.resolve(name + ".jsonl");
        AnswerChooser chooser = new AnswerChooser(options.reads().choice(), options.seed(), false);
        ExecutorService threads = Executors.newFixedThreadPool(SESSIONS);
        try (MockDatabase database = new MockDatabase(
                options, chooser, MockArchive.of(out), "127.0.0.1", 0, MockDatabase.NO_PORT, note -> {})) {
            String url = "jdbc:postgresql://127.0.0.1:" + database.port() + "/test?user=test";
            load(url);
            List<Future<Void>> clients = new ArrayList<>();
            for (int session = 0; session < SESSIONS; session++) {
                SeededRandom random = new SeededRandom(options.seed() * 31 + session);
                clients.add(threads.submit((Callable<Void>) () -> client(url, random)));
            }
            for (Future<Void> client : clients) {
                client.get();
            }
            Files.copy(out, killed(out));
            database.finish();
            assertThat(database.store().archive().committed()).isGreaterThan(TRANSACTIONS);
        } finally {
            threads.shutdownNow();
        }
        return out;
    }

    private static void load(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("SET nightjar.phase = 'load'");
            statement.execute("CREATE TABLE account(id INT PRIMARY KEY, balance INT NOT NULL, owner VARCHAR(20))");
            statement.execute("CREATE INDEX ON account(owner)");
            for (int id = 0; id < KEYS; id += 2) {
                statement.execute("INSERT INTO account VALUES (" + id + ", 100, 'o" + id % 3 + "')");
            }
            statement.execute("SET nightjar.phase = 'run'");
        }
    }

    private static Void client(String url, SeededRandom random) throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        try {
            for (int txn = 0; txn < TRANSACTIONS; txn++) {
                try {
                    connection.setAutoCommit(random.below(4) == 0);
                    for (int step = random.below(4); step >= 0; step--) {
                        step(connection, random);
                    }
                    if (!connection.getAutoCommit()) {
                        if (random.below(8) == 0) {
                            connection.rollback();
                        } else {
                            connection.commit();
                        }
                    }
                } catch (SQLException failed) {
                    assertThat(failed.getSQLState()).as("%s", failed).isIn("40001", "23505", "08006", "08003");
                    if (connection.isClosed()) {
                        connection = DriverManager.getConnection(url);
                    } else if (!connection.getAutoCommit()) {
                        connection.rollback();
                    }
                }
            }
        } finally {
            connection.close();
        }
        return null;
    }

    private static void step(Connection connection, SeededRandom random) throws SQLException {
        int id = random.below(KEYS);
        switch (random.below(8)) {
            case 0, 1 -> query(connection, "SELECT balance FROM account WHERE id = ?", id);
            case 2 -> query(connection, "SELECT count(*), sum(balance) FROM account WHERE id >= ?", id);
            case 3 -> query(connection, "SELECT id FROM account WHERE owner = 'o' || ? ORDER BY owner", id % 3);
            case 4 -> update(connection, "UPDATE account SET balance = balance + 1 WHERE id = ?", id);
            case 5 -> update(connection, "UPDATE account SET balance = 7, owner = 'o1' WHERE id = ?", id);
            case 6 -> update(connection, "DELETE FROM account WHERE id = ?", id);
            default -> update(connection, "INSERT INTO account VALUES (?, 5, 'o2') ON CONFLICT DO NOTHING", id);
        }
    }

    private static void query(Connection connection, String sql, int id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, id);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    rows.getObject(1);
                }
            }
        }
    }

    private static void update(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void update(Connection connection, String sql, int id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, id);
            statement.executeUpdate();
        }
    }
}
