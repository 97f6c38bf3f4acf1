package io.nightjar.datasets.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.util.Set;

/** Classifies failures of statements by their consequence for the transaction. */
public final class SqlFailure {

    private static final String COMPLETION_UNKNOWN = "40003";
    private static final String AUTHORIZATION = "28";
    private static final String REJECTED = "08004";

    /** Classes of SQLSTATE of a failed commit that certainly did not happen: rollback, constraints, bad state. */
    private static final Set<String> ABORTING_CLASSES = Set.of("40", "23", "25", "2D", "44");

    /** States of servers that go away, of statements that took too long, and of embedded databases that were closed. */
    private static final Set<String> BREAKING_STATES =
            Set.of("57P01", "57P02", "57P03", "57P05", "70100", "HYT00", "HYT01", "90067", "90098", "90121");

    private SqlFailure() {}

    /**
     * Returns whether the outcome of the transaction is unknown: the connection broke, or the response did not arrive
     * in time.
     */
    public static boolean isBroken(SQLException failure, Connection connection, SqlDialect dialect) {
        String state = String.valueOf(failure.getSQLState());
        if (dialect == SqlDialect.H2 && state.equals("HYT00")) {
            return false; // a lock that was waited for too long
        }
        if (state.startsWith("08")
                || BREAKING_STATES.contains(state)
                || failure instanceof SQLTimeoutException
                || failure instanceof SQLRecoverableException
                || failure instanceof SQLNonTransientConnectionException) {
            return true;
        }
        try {
            return connection.isClosed();
        } catch (SQLException e) {
            return true;
        }
    }

    /** Returns whether a commit with this failure has certainly not happened. */
    public static boolean isCommitRefused(SQLException failure, boolean isEmbedded) {
        String state = String.valueOf(failure.getSQLState());
        if (state.equals(COMPLETION_UNKNOWN)) {
            return false;
        }
        return isEmbedded || state.length() == 5 && ABORTING_CLASSES.contains(state.substring(0, 2));
    }

    /** Returns whether a connection was refused because a password is missing or wrong. */
    public static boolean isPasswordWanted(SQLException failure) {
        String state = String.valueOf(failure.getSQLState());
        boolean isOfDriver = state.equals(REJECTED) // PostgreSQL's driver, which had none to send
                && String.valueOf(failure.getMessage()).contains("password");
        return state.startsWith(AUTHORIZATION) || isOfDriver;
    }

    /** Returns state and message in one line. */
    public static String text(SQLException failure) {
        String message = String.valueOf(failure.getMessage()).strip().replaceAll("\\s+", " ");
        return failure.getSQLState() == null ? message : failure.getSQLState() + " " + message;
    }
}
