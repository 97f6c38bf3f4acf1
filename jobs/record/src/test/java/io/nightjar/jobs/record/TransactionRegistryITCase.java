package io.nightjar.jobs.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.datasets.random.SeededRandom;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
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
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests the assumption of decision 0043 that MariaDB's system versioning by transaction shows no more than a register
 * of commits.
 */
@Tag("slow")
class TransactionRegistryITCase {

    private static final int SESSIONS = 4;
    private static final int TXNS_OF_A_SESSION = 60;
    private static final int ROWS = 40;
    private static final String REGISTRY = "mysql.transaction_registry";
    private static final String TABLE = "CREATE TABLE versioned (id INTEGER PRIMARY KEY, v BIGINT,"
            + " begun BIGINT UNSIGNED GENERATED ALWAYS AS ROW START, ended BIGINT UNSIGNED GENERATED ALWAYS AS ROW END,"
            + " PERIOD FOR SYSTEM_TIME (begun, ended)) ENGINE=InnoDB WITH SYSTEM VERSIONING";

    /** A read of a row by a transaction whose snapshot showed these writers. */
    private record Seen(int key, long writer, LongSet shown) {}

    private static MariaDbServer server;

    @BeforeAll
    static void start() throws Exception {
        server = MariaDbServer.started();
    }

    @AfterAll
    static void stop() throws Exception {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void makeTable() throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.url())) {
            execute(connection, "DROP TABLE IF EXISTS versioned");
            execute(connection, TABLE);
            StringBuilder rows = new StringBuilder("INSERT INTO versioned (id, v) VALUES (0, 0)");
            for (int row = 1; row < ROWS; row++) {
                rows.append(", (").append(row).append(", 0)");
            }
            execute(connection, rows.toString());
        }
    }

    /** A register of commits shows the same at the same cost: an additional statement in each transaction. */
    @Test
    void theRegistryReadInsideATransactionIsItsSnapshot() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(SESSIONS);
        List<Seen> seen = new ArrayList<>();
        try {
            List<Callable<List<Seen>>> sessions = new ArrayList<>();
            for (int session = 0; session < SESSIONS; session++) {
                int seed = session;
                sessions.add(() -> work(seed));
            }
            for (Future<List<Seen>> each : pool.invokeAll(sessions, 60, TimeUnit.SECONDS)) {
                seen.addAll(each.get());
            }
        } finally {
            pool.shutdownNow();
        }

        List<Long2LongOpenHashMap> nextWriter = nextWriters();
        int wrong = 0;
        for (Seen one : seen) {
            boolean isShown = one.shown.contains(one.writer);
            boolean isNewest = !one.shown.contains(nextWriter.get(one.key).get(one.writer));
            wrong += isShown && isNewest ? 0 : 1;
        }
        assertThat(seen).hasSizeGreaterThan(SESSIONS * TXNS_OF_A_SESSION);
        assertThat(wrong).isZero();
    }

    /** Reads the registry at the beginning of a transaction, then other rows, and changes a row. */
    private List<Seen> work(int seed) throws SQLException {
        List<Seen> seen = new ArrayList<>();
        SeededRandom random = new SeededRandom(seed);
        try (Connection connection = session(Connection.TRANSACTION_REPEATABLE_READ);
                PreparedStatement read = connection.prepareStatement("SELECT begun FROM versioned WHERE id = ?");
                PreparedStatement write = connection.prepareStatement("UPDATE versioned SET v = v + 1 WHERE id = ?")) {
            for (int txn = 0; txn < TXNS_OF_A_SESSION; txn++) {
                LongSet shown = new LongOpenHashSet(longs(connection, "SELECT transaction_id FROM " + REGISTRY));
                for (int i = 0; i < 3; i++) {
                    int key = random.below(ROWS);
                    read.setInt(1, key);
                    try (ResultSet row = read.executeQuery()) {
                        row.next();
                        seen.add(new Seen(key, row.getLong(1), shown));
                    }
                }
                write.setInt(1, random.below(ROWS));
                write.executeUpdate();
                connection.commit();
            }
        }
        return seen;
    }

    /** Returns per row the transaction that overwrote each transaction's write. */
    private static List<Long2LongOpenHashMap> nextWriters() throws SQLException {
        List<Long2LongOpenHashMap> next = new ArrayList<>();
        for (int row = 0; row < ROWS; row++) {
            next.add(new Long2LongOpenHashMap());
        }
        try (Connection connection = DriverManager.getConnection(server.url());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT id, begun, ended FROM versioned FOR SYSTEM_TIME ALL WHERE ended < 18446744073709551615")) {
            while (rows.next()) {
                next.get(rows.getInt(1)).put(rows.getLong(2), rows.getLong(3));
            }
        }
        return next;
    }

    /** So timestamps prove no more than with a register of commits, and not snapshot isolation. */
    @Test
    void rowNewerThanSnapshotCanBeChanged() throws SQLException {
        try (Connection late = session(Connection.TRANSACTION_REPEATABLE_READ);
                Connection early = session(Connection.TRANSACTION_REPEATABLE_READ)) {
            longs(late, "SELECT v FROM versioned WHERE id = 1");
            execute(early, "UPDATE versioned SET v = 5 WHERE id = 1");
            early.commit();
            execute(late, "UPDATE versioned SET v = v + 1 WHERE id = 1");
            assertThat(longs(late, "SELECT v FROM versioned WHERE id = 1")).containsExactly(6L);
            late.commit();
        }
    }

    /** A version is the last write of a transaction to a row; earlier writes are gone. Versions are never removed. */
    @Test
    void versionsInBetweenAreLostAndTheOthersAreKept() throws SQLException {
        try (Connection connection = session(Connection.TRANSACTION_REPEATABLE_READ)) {
            execute(connection, "UPDATE versioned SET v = 10 WHERE id = 2");
            execute(connection, "UPDATE versioned SET v = 11 WHERE id = 2");
            connection.commit();
            execute(connection, "UPDATE versioned SET v = 12 WHERE id = 2");
            connection.commit();
            assertThat(longs(connection, "SELECT v FROM versioned FOR SYSTEM_TIME ALL WHERE id = 2 ORDER BY begun"))
                    .containsExactly(0L, 11L, 12L);
        }
    }

    /** So the registry is useless at the only level without a register of commits. */
    @Test
    void atSerializableWritersCannotCommitWhileTheRegistryIsRead() throws SQLException {
        try (Connection reader = session(Connection.TRANSACTION_SERIALIZABLE);
                Connection writer = session(Connection.TRANSACTION_SERIALIZABLE)) {
            execute(writer, "SET innodb_lock_wait_timeout = 1");
            longs(reader, "SELECT transaction_id FROM " + REGISTRY);
            execute(writer, "UPDATE versioned SET v = 1 WHERE id = 3");
            assertThatThrownBy(writer::commit).isInstanceOf(SQLException.class);
            reader.rollback();
        }
    }

    // ---------------------------------------------------------------- tools

    private static Connection session(int isolation) throws SQLException {
        Connection connection = DriverManager.getConnection(server.url());
        connection.setTransactionIsolation(isolation);
        connection.setAutoCommit(false);
        return connection;
    }

    private static List<Long> longs(Connection connection, String query) throws SQLException {
        List<Long> longs = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                longs.add(rows.getLong(1));
            }
        }
        return longs;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
