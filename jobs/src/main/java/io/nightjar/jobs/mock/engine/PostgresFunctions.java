package io.nightjar.jobs.mock.engine;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Functions of PostgreSQL that H2 does not have; H2 finds them by their names here. */
public final class PostgresFunctions {

    /** How they are made known to a new database. */
    static final String[] ALIASES = {
        alias("pg_backend_pid", "backendPid"),
        alias("setval", "setSequence"),
        alias("txid_current", "transactionId"),
        alias("pg_sleep", "sleep")
    };

    private PostgresFunctions() {}

    private static String alias(String name, String method) {
        return "CREATE ALIAS IF NOT EXISTS " + name + " FOR '" + PostgresFunctions.class.getName() + "." + method + "'";
    }

    public static int backendPid(Connection connection) throws SQLException {
        return (int) number(connection, "SELECT SESSION_ID()");
    }

    public static long transactionId(Connection connection) throws SQLException {
        return number(connection, "SELECT SESSION_ID()");
    }

    /** Lets a sequence go on behind a number. */
    public static long setSequence(Connection connection, String sequence, long value) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("ALTER SEQUENCE " + plain(sequence) + " RESTART WITH " + Math.addExact(value, 1));
        }
        return value;
    }

    private static String plain(String sequence) throws SQLException {
        if (!sequence.matches("[\\w.\"$ ]+")) {
            throw new SQLException("relation \"" + sequence + "\" does not exist", "42P01");
        }
        return sequence;
    }

    /** Waits, which nobody may here while all others wait too. */
    public static void sleep(double seconds) throws SQLException {
        throw new SQLException("pg_sleep is not supported by this server: seconds=" + seconds, "0A000");
    }

    private static long number(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
