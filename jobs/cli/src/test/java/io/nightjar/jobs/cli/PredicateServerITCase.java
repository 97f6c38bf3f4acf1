package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResultJson;
import io.nightjar.jobs.record.CertifiedClients;
import io.nightjar.jobs.record.CertifiedClients.Client;
import io.nightjar.jobs.record.DatabaseServer;
import io.nightjar.jobs.record.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Predicate reads on PostgreSQL, with inserts and deletions: the guarantees of its levels, and an old version that
 * violates them.
 */
@Tag("slow")
class PredicateServerITCase {

    private static final String OLD = "12.3.0";
    private static final String NEW = "15.13.0";
    private static final int SESSIONS = 8;
    private static final int ROWS = 30;

    /** The statements of a transaction. */
    @FunctionalInterface
    private interface Body {
        void run(Client client, Random random) throws SQLException;
    }

    @TempDir
    private Path directory;

    private final AtomicInteger nextId = new AtomicInteger(); // a deleted key is not reused

    // ---------------------------------------------------------------- random runs

    @Test
    void resultSetsAreThoseOfTheSnapshotsAndLevelsDifferAsTheyShould() throws Exception {
        try (PostgresServer server = PostgresServer.started(NEW)) {
            for (int seed = 1; seed <= 3; seed++) {
                RunResult serializable =
                        checked(run(server, "serializable", 1_000, seed, this::selectAndUpdate), "ser,PL-3", "auto");
                assertThat(serializable.verdict().word())
                        .as("seed=%d %s", seed, typesOf(serializable))
                        .isEqualTo("holds");
                assertThat(replayedOrder()).as("seed=%d", seed).isZero();
                assertThat(typesOf(check("si", "timestamps")))
                        .as("seed=%d", seed)
                        .isEmpty();

                RunResult repeatable = checked(
                        run(server, "repeatable-read", 1_000, seed, this::selectAndUpdate), "PL-2.99,PL-3", "auto");
                assertThat(typesOf(repeatable)).as("seed=%d", seed).contains("G2 phantom");
                assertThat(typesOf(check("si", "timestamps")))
                        .as("seed=%d", seed)
                        .isEmpty();

                CertifiedClients committed = run(server, "read-committed", 1_000, seed, this::selectAndUpdate);
                assertThat(typesOf(checked(committed, "PL-SI,PL-3", "versions")))
                        .as("seed=%d", seed)
                        .anyMatch(type -> type.startsWith("G-single") && type.endsWith("phantom"));
                committed.writeStatements(file());
                assertThat(typesOf(check("si", "timestamps")))
                        .as("seed=%d", seed)
                        .noneMatch(type -> type.startsWith("result-set-mismatch") || type.startsWith("EXT"));
            }
        }
    }

    /** The old server runs until the anomaly occurs, which required less than 500 commits so far. */
    @Test
    void randomRunsShowWhatTheOldServerLetsPassAtSerializableAndTheNewOneDoesNot() throws Exception {
        try (PostgresServer server = PostgresServer.started(OLD)) {
            List<String> found = List.of();
            long committed = 0;
            for (int seed = 1; found.isEmpty() && seed <= 40; seed++) {
                CertifiedClients clients = run(server, "serializable", 1_000, seed, this::selectAndInsert);
                committed += clients.committed();
                found = typesOf(checked(clients, "PL-3", "auto"));
            }
            System.out.printf("PostgreSQL %s: %s in %d commits%n", OLD, found, committed);
            assertThat(found).contains("G2 phantom");
        }
        try (PostgresServer server = PostgresServer.started(NEW)) {
            CertifiedClients clients = run(server, "serializable", 1_000, 1, this::selectAndInsert);
            assertThat(typesOf(checked(clients, "PL-3", "auto"))).isEmpty();
        }
    }

    /**
     * Eight rows that are inserted and deleted, recorded in the ordinary way: 4,000 attempts have always shown it so
     * far.
     */
    @Test
    void recordedRowsThatComeAndGoShowItToo() throws Exception {
        int recordings = Seeds.rounds(1);
        for (String version : List.of(OLD, NEW)) {
            int violated = 0;
            try (PostgresServer server = PostgresServer.started(version)) {
                for (int seed = 1; seed <= recordings || version.equals(OLD) && violated == 0 && seed <= 10; seed++) {
                    Path out = directory.resolve(version + "-" + seed + ".parquet");
                    CommandRun record = CommandRun.of(("record " + out
                                    + " --isolation serializable --workload deletes --keys 8 --sessions 16 --reads 0.3"
                                    + " --ops 3 --transactions 2000 --seed " + seed + " --jdbc " + server.url())
                            .split(" "));
                    assertThat(record.code()).as(record.err()).isZero();
                    CommandRun check = CommandRun.of("check", "" + out, "--level", "PL-3,ser", "--lake", "none");
                    assertThat(check.code()).as(check.out()).isIn(0, 1);
                    violated += check.code();
                }
                System.out.printf("PostgreSQL %s: violated %d of up to %d recordings%n", version, violated, recordings);
            }
            assertThat(violated > 0).as(version).isEqualTo(version.equals(OLD));
        }
    }

    /**
     * Some transactions read one table and insert into another, some the other way round, and one changes new rows and
     * rolls back.
     */
    private void selectAndInsert(Client client, Random random) throws SQLException {
        int id = nextId.get();
        if (client.number() == 1) {
            for (int newest = id - 4; newest < id; newest++) {
                client.update("u", newest, 1);
            }
            client.pause();
            throw new SQLException("changed its mind");
        }
        boolean looksFirst = random.nextBoolean();
        if (looksFirst) {
            client.select("t", "id > " + (id - ROWS));
            client.insert("u", nextId.getAndIncrement(), 0);
        } else {
            client.insert("t", nextId.getAndIncrement(), 0);
            client.pause();
            client.select("u", "id > " + (id - ROWS));
        }
    }

    /** Runs random transactions until the given number was tried. */
    private CertifiedClients run(DatabaseServer server, String isolation, int transactions, long seed, Body body)
            throws Exception {
        prepare(server, "t", "u");
        CertifiedClients clients = new CertifiedClients(server.url());
        try (Client first = clients.client(isolation)) {
            first.begin();
            for (nextId.set(0); nextId.get() < ROWS; nextId.incrementAndGet()) {
                first.insert("t", nextId.get(), nextId.get());
            }
            assertThat(first.commit()).isTrue();
        }
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (int session = 0; session < SESSIONS; session++) {
            Random random = new Random(seed * 1000 + session);
            Client client = clients.client(isolation);
            running.add(CompletableFuture.runAsync(() -> runAll(client, random, transactions / SESSIONS, body)));
        }
        for (CompletableFuture<Void> one : running) {
            one.get();
        }
        return clients;
    }

    private static void runAll(Client client, Random random, int transactions, Body body) {
        try (client) {
            for (int i = 0; i < transactions; i++) {
                client.begin();
                try {
                    body.run(client, random);
                    client.commit();
                } catch (SQLException refused) {
                    client.rollback();
                }
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private void selectAndUpdate(Client client, Random random) throws SQLException {
        for (int op = 1 + random.nextInt(4); op > 0; op--) {
            int from = random.nextInt(ROWS);
            int id = Math.max(0, nextId.get() - 1 - random.nextInt(ROWS));
            switch (random.nextInt(6)) {
                case 0, 1, 2 -> client.select("t", "c BETWEEN " + from + " AND " + (from + 3));
                case 3 -> client.update("t", id, random.nextInt(ROWS));
                case 4 -> client.insert("t", nextId.getAndIncrement(), random.nextInt(ROWS));
                default -> client.delete("t", id);
            }
        }
    }

    // ---------------------------------------------------------------- fixed schedules

    @Test
    void aDeletionMetByAnInsertionOfItsKeyIsAConflictThatRepeatableReadLetsPass() throws Exception {
        try (PostgresServer server = PostgresServer.started(NEW)) {
            for (String isolation : List.of("repeatable-read", "serializable")) {
                prepare(server, "t");
                CertifiedClients clients = new CertifiedClients(server.url());
                try (Client one = clients.client(isolation);
                        Client other = clients.client(isolation)) {
                    one.begin();
                    one.insert("t", 1, 10);
                    assertThat(one.commit()).isTrue();
                    one.begin();
                    assertThat(one.select("t", "id = 1")).isEqualTo(1);
                    other.begin();
                    other.delete("t", 1);
                    assertThat(other.commit()).isTrue();
                    boolean isCommitted;
                    try {
                        one.insertStrictly("t", 1, 11);
                        isCommitted = one.commit();
                    } catch (SQLException refused) {
                        one.rollback();
                        isCommitted = false;
                    }
                    assertThat(isCommitted).isEqualTo(isolation.equals("repeatable-read"));
                }
                boolean isRepeatable = isolation.equals("repeatable-read");
                assertThat(typesOf(checked(clients, "si", "timestamps")))
                        .isEqualTo(isRepeatable ? List.of("NOCONFLICT") : List.of());
            }
        }
    }

    /**
     * The schedule that PostgreSQL 12.4 fixed: a row that was inserted and is being updated hides its inserting
     * transaction.
     */
    @ParameterizedTest
    @ValueSource(strings = {OLD, NEW})
    void aRowInsertedAndUpdatedMeanwhileLetsAnOldServerMissAWriteSkew(String version) throws Exception {
        try (PostgresServer server = PostgresServer.started(version)) {
            for (int turn = 0; turn < 5; turn++) {
                prepare(server, "t", "u");
                CertifiedClients clients = new CertifiedClients(server.url());
                boolean isCommitted = inserted(clients);
                RunResult result = checked(clients, "PL-2.99,PL-3", "auto");
                assertThat(isCommitted).as(version).isEqualTo(version.equals(OLD));
                assertThat(verdictOf(result, "PL-3")).as(version).isEqualTo(isCommitted ? "violated" : "holds");
                assertThat(verdictOf(result, "PL-2.99")).as(version).isEqualTo("holds");
                assertThat(typesOf(result)).isEqualTo(isCommitted ? List.of("G2 phantom") : List.of());
            }
        }
    }

    /** Returns whether two transactions that each read the rows that the other inserts may both commit. */
    private static boolean inserted(CertifiedClients clients) throws SQLException {
        try (Client one = clients.client("serializable");
                Client other = clients.client("serializable");
                Client trouble = clients.client("serializable")) {
            one.begin();
            other.begin();
            one.select("t", "id = 42");
            other.insert("t", 42, 1);
            one.insert("u", 7, 1);
            assertThat(one.commit()).isTrue();
            trouble.begin();
            trouble.update("u", 7, 2);
            try {
                other.select("u", "id = 7");
                boolean isCommitted = other.commit();
                trouble.rollback();
                return isCommitted;
            } catch (SQLException refused) {
                other.rollback();
                trouble.rollback();
                return false;
            }
        }
    }

    // ---------------------------------------------------------------- the log

    @Test
    void theLogOrdersCommitsOtherwiseThanSnapshotsShowThem() throws Exception {
        try (PostgresServer server = PostgresServer.started(NEW)) {
            execute(server, "ALTER SYSTEM SET wal_level = 'logical'");
            server.kill();
            server.start();
            long wrong = 0;
            for (int seed = 1; wrong == 0 && seed <= 20; seed++) {
                execute(server, "SELECT pg_create_logical_replication_slot('s" + seed + "', 'test_decoding')");
                CertifiedClients clients =
                        run(server, "repeatable-read", 1_000, seed, this::selectAndUpdateInSavepoints);
                Map<Long, List<String>> writes = writesInLog(server, "s" + seed);
                wrong = clients.snapshotsThatAreNoPrefixOf(List.copyOf(writes.keySet()));
                writes.values().removeIf(List::isEmpty);
                assertThat(writes).isEqualTo(clients.writes());
                assertThat(clients.writtenBySavepoints()).isPositive();
                assertThat(typesOf(checked(clients, "si", "timestamps"))).isEmpty();
                System.out.printf("log: %d snapshots are no prefix of it, %d commits%n", wrong, clients.committed());
            }
            assertThat(wrong).isPositive();
        }
    }

    /** As {@link #selectAndUpdate}, in savepoints of which some are rolled back. */
    private void selectAndUpdateInSavepoints(Client client, Random random) throws SQLException {
        for (int part = random.nextInt(3); part >= 0; part--) {
            if (random.nextInt(3) == 0) {
                selectAndUpdate(client, random);
            } else {
                client.inSavepoint(random.nextInt(4) > 0, inside -> selectAndUpdate(inside, random));
            }
        }
    }

    /** Returns the writes of each transaction, in the order of their commits. */
    private static Map<Long, List<String>> writesInLog(DatabaseServer server, String slot) throws SQLException {
        Map<Long, List<String>> writes = new LinkedHashMap<>();
        List<String> own = new ArrayList<>();
        Pattern change = Pattern.compile(
                "table public\\.(\\w): (INSERT|UPDATE|DELETE): id\\[integer]:(\\d+)(?: c\\[integer]:(\\d+))?");
        try (Connection connection = DriverManager.getConnection(server.url());
                Statement statement = connection.createStatement();
                ResultSet changes = statement.executeQuery(
                        "SELECT data FROM pg_logical_slot_get_changes('" + slot + "', NULL, NULL)")) {
            while (changes.next()) {
                Matcher one = change.matcher(changes.getString(1));
                if (one.matches()) {
                    own.add(one.group(1) + "/" + one.group(3) + " " + (one.group(4) == null ? "gone" : one.group(4)));
                } else if (changes.getString(1).startsWith("COMMIT ")) {
                    writes.put(Long.parseLong(changes.getString(1).substring("COMMIT ".length())), List.copyOf(own));
                    own.clear();
                }
            }
        }
        return writes;
    }

    // ---------------------------------------------------------------- tools

    private static void prepare(DatabaseServer server, String... tables) throws SQLException {
        for (String table : tables) {
            execute(server, "DROP TABLE IF EXISTS " + table);
            execute(server, "CREATE TABLE " + table + " (id int PRIMARY KEY, c int)");
        }
    }

    private static void execute(DatabaseServer server, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.url());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private Path file() {
        return directory.resolve("h.jsonl");
    }

    private RunResult checked(CertifiedClients clients, String levels, String evidence) throws IOException {
        clients.write(file());
        return check(levels, evidence);
    }

    private RunResult check(String levels, String evidence) {
        CommandRun run = CommandRun.of(
                "check", "" + file(), "--level", levels, "--evidence", evidence, "--lake", "none", "--json");
        assertThat(run.code()).as(run.err()).isLessThanOrEqualTo(2);
        return RunResultJson.read(run.out());
    }

    /** Returns the exit code of a check in the order that proved serializability. */
    private int replayedOrder() {
        String witness = directory.resolve("witness.jsonl").toString();
        CommandRun proof =
                CommandRun.of("check", "" + file(), "--level", "ser", "--lake", "none", "--witness", witness);
        assertThat(proof.code()).as(proof.out()).isZero();
        return CommandRun.of("check", "" + file(), "--level", "ser", "--lake", "none", "--order", witness)
                .code();
    }

    private static List<String> typesOf(RunResult result) {
        return result.anomalies().stream()
                .map(anomaly -> anomaly.type() + (anomaly.pattern() == null ? "" : " " + anomaly.pattern()))
                .toList();
    }

    private static String verdictOf(RunResult result, String level) {
        return result.levels().get(IsolationLevel.byName(level)).verdict().word();
    }
}
