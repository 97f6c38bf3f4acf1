package io.nightjar.jobs.record;

import io.nightjar.datasets.jdbc.JdbcAddress;
import io.nightjar.datasets.jdbc.SqlFailure;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Logical replication slot of PostgreSQL, managed over ordinary connections. */
final class ReplicationSlot {

    /*
     * A slot outlives its creator, and the server retains its log for the slot until the disk is full. So all slot
     * names share a prefix, and inactive slots with that prefix are dropped before a new slot is created.
     */

    private static final String PREFIX = "nightjar_";
    private static final String PLUGIN = "test_decoding";
    private static final Duration MIN_WAIT = Duration.ofSeconds(10);
    private static final long AGAIN_MS = 50;
    private static final String IN_USE = "55006";

    private final JdbcAddress address;
    private final Consumer<String> teller;
    private final String name =
            PREFIX + UUID.randomUUID().toString().replace("-", "").substring(0, 16);

    ReplicationSlot(JdbcAddress address, Consumer<String> teller) {
        this.address = address;
        this.teller = teller;
    }

    String name() {
        return name;
    }

    /**
     * Creates the slot, and drops abandoned slots; reports a failure.
     *
     * @return the schema of the tables as PostgreSQL quotes it, null without a slot
     */
    @Nullable
    String create() {
        boolean isAsked = false;
        try (Connection connection = connect()) {
            dropOld(connection);
            String level = text(connection, "SELECT setting FROM pg_settings WHERE name = 'wal_level'");
            if (!"logical".equals(level)) {
                teller.accept("no log of the server: wal_level=" + level + "; its snapshots are recorded all the same");
                return null;
            }
            String schema = text(connection, "SELECT quote_ident(current_schema())");
            isAsked = true;
            call(connection, "SELECT slot_name FROM pg_create_logical_replication_slot(?, '" + PLUGIN + "')", name);
            return schema;
        } catch (SQLException refused) {
            teller.accept(
                    "no log of the server: reason=" + messageOf(refused) + "; its snapshots are recorded all the same");
            if (isAsked) {
                drop(); // it may exist although no answer arrived
            }
            return null;
        }
    }

    private Connection connect() throws SQLException {
        Connection connection = address.connect();
        try {
            long waitMs = Math.max(MIN_WAIT.toMillis(), address.timeout().toMillis());
            connection.setNetworkTimeout(Runnable::run, (int) Math.min(Integer.MAX_VALUE, 2 * waitMs));
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET statement_timeout = " + Math.min(Integer.MAX_VALUE, waitMs));
            }
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    private void dropOld(Connection connection) throws SQLException {
        List<String> idle = new ArrayList<>();
        try (PreparedStatement query =
                connection.prepareStatement("SELECT slot_name, active FROM pg_replication_slots WHERE slot_name LIKE ?"
                        + " AND database = current_database() ORDER BY slot_name")) {
            query.setString(1, PREFIX.replace("_", "\\_") + "%");
            try (ResultSet slots = query.executeQuery()) {
                while (slots.next()) {
                    if (slots.getBoolean(2)) {
                        teller.accept("another recording reads a slot of this database: slot=" + slots.getString(1));
                    } else {
                        idle.add(slots.getString(1));
                    }
                }
            }
        }
        for (String old : idle) {
            call(connection, "SELECT pg_drop_replication_slot(?)", old);
            teller.accept("dropped a slot of an earlier recording: slot=" + old);
        }
    }

    /** Returns the start time of the answering server, in microseconds. */
    long serverStart() throws SQLException {
        return Long.parseLong(ask("SELECT (EXTRACT(EPOCH FROM pg_postmaster_start_time()) * 1000000)::bigint::text"));
    }

    /** Returns a log position at or after the point to which a crashed server recovered its log. */
    String recoveredUpTo() throws SQLException {
        return ask("SELECT redo_lsn::text FROM pg_control_checkpoint()");
    }

    /** Runs a query that always returns a row. */
    private String ask(String query) throws SQLException {
        try (Connection connection = connect()) {
            return Objects.requireNonNull(text(connection, query));
        }
    }

    /** Ends server sessions whose clients have disconnected; returns whether none remains. */
    boolean endSessions(long waitNs) throws SQLException {
        long untilNs = System.nanoTime() + waitNs;
        try (Connection connection = connect();
                PreparedStatement query = connection.prepareStatement(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ?")) {
            query.setString(1, name);
            while (System.nanoTime() < untilNs) {
                try (ResultSet left = query.executeQuery()) {
                    if (!left.next()) {
                        return true;
                    }
                }
                if (!pause()) {
                    return false;
                }
            }
            return false;
        }
    }

    /** Writes the slot's name into the log, and waits until the server has flushed it and all earlier entries. */
    void mark(String prefix) throws SQLException {
        try (Connection connection = connect()) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET synchronous_commit = local");
            }
            call(connection, "SELECT pg_logical_emit_message(true, '" + prefix + "', ?)", name);
        }
    }

    /** Drops the slot; after a failure the next recording drops it. */
    void drop() {
        long untilNs = System.nanoTime() + MIN_WAIT.toNanos() / 2;
        SQLException refused = null;
        boolean isBusy = true;
        while (isBusy && System.nanoTime() < untilNs) {
            try (Connection connection = connect()) {
                call(
                        connection,
                        "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = ?",
                        name);
                return;
            } catch (SQLException failed) {
                refused = failed;
                isBusy = IN_USE.equals(failed.getSQLState()) && pause();
            }
        }
        teller.accept("the slot could not be dropped, the next recording does it: slot=" + name + " reason="
                + (refused == null ? "no time" : messageOf(refused)));
    }

    private String messageOf(SQLException failure) {
        return address.redact(SqlFailure.text(failure));
    }

    private static boolean pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(AGAIN_MS);
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static @Nullable String text(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            return row.next() ? row.getString(1) : null;
        }
    }

    private static void call(Connection connection, String query, String argument) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            statement.setString(1, argument);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    continue;
                }
            }
        }
    }
}
