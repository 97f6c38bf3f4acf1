package io.nightjar.jdbc;

import io.nightjar.jdbc.JdbcTxn.Status;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One connection as a session: its transactions, one after the other, and what becomes of them. */
final class SessionLog {

    /*
     * What became of a transaction:
     *
     *   committed   commit returned, or a statement that commits by itself did
     *   aborted     it was rolled back; or the database refused the commit in a way that says it did not happen
     *   unknown     the connection broke, or was closed, or the commit failed in any other way
     *
     * After an unknown one the connection counts as another session: nobody knows when that transaction ends.
     */

    private static final String COMPLETION_UNKNOWN = "40003";
    private static final List<String> REFUSALS = List.of("40", "23", "25", "2D", "44");

    private final JdbcArchive archive;
    private final TableCatalog catalog;
    private final JdbcProduct product;
    private final Connection connection;
    private final List<OpenRows> open = new ArrayList<>();
    private final Map<Object, Integer> savepoints = new HashMap<>(); // how many operations there were
    private final List<String> redefined = new ArrayList<>();
    private long session;
    private long nextPosition;
    private JdbcTxn current;
    private boolean isBegun; // by a statement, although the connection commits by itself
    private boolean isDoomed;
    private boolean isUncertain; // a commit failed, and nobody knows how
    private boolean isBlind;
    private String isolation;

    SessionLog(JdbcArchive archive, TableCatalog catalog, JdbcProduct product, Connection connection)
            throws SQLException {
        this.archive = archive;
        this.catalog = catalog;
        this.product = product;
        this.connection = connection;
        this.session = archive.nextSession();
        this.isolation = isolationOf(connection.getTransactionIsolation());
    }

    JdbcArchive archive() {
        return archive;
    }

    TableCatalog catalog() {
        return catalog;
    }

    JdbcProduct product() {
        return product;
    }

    Connection connection() {
        return connection;
    }

    /** Whether nothing of it is recorded any more. */
    boolean isOver() {
        return isBlind || archive.isBroken();
    }

    void meansOthers(String why) {
        isBlind = true;
        archive.remark("from here on a connection is not recorded: " + why);
        catalog.stopEverything("a connection went elsewhere: " + why);
    }

    // ---------------------------------------------------------------- transactions

    /** The transaction that the next statement belongs to. */
    JdbcTxn txn() throws SQLException {
        if (commitsByItself()) {
            return begin(true);
        }
        if (current == null) {
            current = begin(false);
        }
        return current;
    }

    boolean commitsByItself() throws SQLException {
        return !isBegun && connection.getAutoCommit();
    }

    private JdbcTxn begin(boolean isStatement) {
        return new JdbcTxn(archive.nextTxn(), session, nextPosition++, isolation, isStatement);
    }

    /** The application has chosen another level. */
    void isolationChanged(int level) {
        isolation = isolationOf(level); // the driver is not asked: it may take a query, and that a transaction
    }

    private static String isolationOf(int level) {
        return switch (level) {
            case Connection.TRANSACTION_READ_UNCOMMITTED -> "read-uncommitted";
            case Connection.TRANSACTION_READ_COMMITTED -> "read-committed";
            case Connection.TRANSACTION_REPEATABLE_READ -> "repeatable-read";
            case Connection.TRANSACTION_SERIALIZABLE -> "serializable";
            default -> "other";
        };
    }

    /** A statement of a transaction has been answered. */
    void answered(JdbcTxn txn) {
        if (txn.isStatement()) {
            end(txn, Status.COMMITTED);
        }
    }

    /** A statement of a transaction has failed. */
    void failed(JdbcTxn txn, SQLException failure) {
        txn.failed(failure);
        boolean isBroken = isBroken(failure);
        if (txn.isStatement()) {
            end(txn, isBroken ? Status.UNKNOWN : Status.ABORTED);
        } else if (isBroken) {
            endCurrent(Status.UNKNOWN);
        } else {
            isDoomed |= product.isDoomedByFailure() && savepoints.isEmpty();
        }
    }

    boolean isBroken(SQLException failure) {
        String state = String.valueOf(failure.getSQLState());
        if (state.startsWith("08") || state.startsWith("57P0") || failure instanceof java.sql.SQLTimeoutException) {
            return true;
        }
        try {
            return connection.isClosed();
        } catch (SQLException gone) {
            return true;
        }
    }

    private void end(JdbcTxn txn, Status status) {
        if (txn.isOver()) {
            return;
        }
        txn.end(status);
        archive.ended(txn);
        if (status == Status.UNKNOWN) {
            session = archive.nextSession();
            nextPosition = 0;
        }
    }

    private void endCurrent(Status status) {
        isBegun = false;
        isDoomed = false;
        isUncertain = false;
        savepoints.clear();
        if (status != Status.COMMITTED && !redefined.isEmpty()) {
            catalog.redefine(List.copyOf(redefined));
        }
        redefined.clear();
        if (current != null) {
            JdbcTxn over = current;
            current = null;
            end(over, status);
        }
    }

    // ---------------------------------------------------------------- what ends them

    /** A step that the database is asked for. */
    @FunctionalInterface
    interface Step {
        void run() throws SQLException;
    }

    /** The same with an answer, through a proxy. */
    @FunctionalInterface
    interface Answered<T> {
        T run() throws Throwable;
    }

    /** A statement, or the application, begins a transaction by itself. */
    void begins() {
        isBegun = true;
    }

    void commit(Step step) throws SQLException {
        settle();
        try {
            step.run();
        } catch (SQLException failure) {
            commitFailed(failure);
            throw failure;
        }
        committed();
    }

    /** A statement commits. */
    <T> T committing(Answered<T> statement) throws Throwable {
        settle();
        try {
            T answer = statement.run();
            committed();
            return answer;
        } catch (SQLException failure) {
            commitFailed(failure);
            throw failure;
        }
    }

    private void committed() {
        endCurrent(isDoomed ? Status.ABORTED : Status.COMMITTED); // PostgreSQL rolls back what has failed
    }

    private void commitFailed(SQLException failure) {
        if (current != null) {
            current.failed(failure);
        }
        String state = String.valueOf(failure.getSQLState());
        boolean isRefused = state.length() == 5 && REFUSALS.contains(state.substring(0, 2));
        if (isBroken(failure)) {
            endCurrent(Status.UNKNOWN);
        } else if (isDoomed || isRefused && !state.equals(COMPLETION_UNKNOWN)) {
            endCurrent(Status.ABORTED);
        } else {
            isUncertain = true; // the application may try again, or roll back
        }
    }

    void rollback(Step step) throws SQLException {
        settle();
        try {
            step.run();
        } catch (SQLException failure) {
            endCurrent(Status.UNKNOWN);
            throw failure;
        }
        rolledBack();
    }

    /** A statement rolls back. */
    <T> T rollingBack(Answered<T> statement) throws Throwable {
        settle();
        try {
            T answer = statement.run();
            rolledBack();
            return answer;
        } catch (SQLException failure) {
            endCurrent(Status.UNKNOWN);
            throw failure;
        }
    }

    private void rolledBack() {
        endCurrent(isUncertain && !product.isEmbedded() ? Status.UNKNOWN : Status.ABORTED);
    }

    /** A definition has run, which some databases commit at once, and all before it. */
    void defined(List<String> names, boolean changesRows) {
        if (changesRows) {
            catalog.redefine(names);
            redefined.addAll(names);
        } else {
            catalog.define();
        }
        if (product.isCommittedByDefinition()) {
            endCurrent(Status.COMMITTED);
        }
    }

    void savepoint(Object name) {
        savepoints.put(name, current == null ? 0 : current.opCount());
    }

    /** What came behind a savepoint has not happened; an unknown one takes all with it. */
    void backTo(Object name) throws SQLException {
        settle();
        if (current != null) {
            current.backTo(savepoints.getOrDefault(name, 0));
        }
    }

    /** The connection is closed, or gone. */
    void close() throws SQLException {
        settle();
        endCurrent(Status.UNKNOWN);
    }

    // ---------------------------------------------------------------- results that are still being read

    void opened(OpenRows rows) {
        open.removeIf(OpenRows::isOver);
        open.add(rows);
    }

    /** Before another statement all that the latest ones wrote must be known. */
    void settleWrites() throws SQLException {
        if (open.isEmpty()) {
            return;
        }
        for (OpenRows rows : List.copyOf(open)) {
            if (rows.areWritten()) {
                rows.settle();
            }
        }
        open.removeIf(OpenRows::isOver);
    }

    /** Nothing more will come of results that are open. */
    void settle() throws SQLException {
        for (OpenRows rows : List.copyOf(open)) {
            rows.settle();
        }
        open.clear();
    }

    /** Rows of a result that the application is at. */
    interface OpenRows {
        /** Takes what is there, or notes that it will never be known. */
        void settle() throws SQLException;

        boolean isOver();

        boolean areWritten();
    }
}
