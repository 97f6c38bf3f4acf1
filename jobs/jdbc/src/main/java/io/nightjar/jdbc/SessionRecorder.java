package io.nightjar.jdbc;

import io.nightjar.jdbc.JdbcTxn.Status;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Recorder of one connection as a session: its transactions, one after the other, and their status. */
final class SessionRecorder {

    /*
     * Status of a transaction:
     *
     *   committed   commit returned, or an auto-committed statement did
     *   aborted     it was rolled back; or the database refused the commit in a way that proves it did not happen
     *   unknown     the connection broke, or was closed, or the commit failed in any other way
     *
     * After an unknown transaction the connection counts as a new session, since the end of that transaction is
     * unknown.
     */

    private static final String COMPLETION_UNKNOWN = "40003";
    private static final List<String> REFUSALS = List.of("40", "23", "25", "2D", "44");

    private final JdbcArchive archive;
    private final DatabaseTables tables;
    private final JdbcProduct product;
    private final Connection connection;
    private final List<OpenRows> open = new ArrayList<>();
    private final Map<Object, Integer> savepoints = new HashMap<>(); // number of operations at the savepoint
    private final List<String> redefined = new ArrayList<>();
    private long session;
    private long nextPosition;
    private @Nullable JdbcTxn current;
    private long firstQueryNs; // when the recorder's own query may have begun the next transaction; 0 if none has
    private boolean isBegun; // by a statement, although the connection is in auto-commit mode
    private boolean isDoomed;
    private boolean isUncertain; // a commit failed, and its outcome is unknown
    private boolean isLost; // it is unknown which tables its names refer to
    private boolean isMoved; // its names may refer to other tables than the path
    private boolean hasMovedInTxn;
    private List<TableCatalog> path;
    private String isolation;

    SessionRecorder(JdbcArchive archive, DatabaseTables tables, JdbcProduct product, Connection connection)
            throws SQLException {
        this.archive = archive;
        this.tables = tables;
        this.product = product;
        this.connection = connection;
        this.session = archive.nextSession();
        this.path = tables.path(connection);
        this.isolation = isolationOf(connection.getTransactionIsolation());
    }

    JdbcArchive archive() {
        return archive;
    }

    DatabaseTables tables() {
        return tables;
    }

    JdbcProduct product() {
        return product;
    }

    Connection connection() {
        return connection;
    }

    /** Returns whether the recording has ended. */
    boolean isOver() {
        return archive.isBroken();
    }

    // ---------------------------------------------------------------- names

    /** Records that it is unknown from here on which tables the statements refer to. */
    void lose(String why) {
        if (!isLost) {
            isLost = true;
            tables.changed();
            archive.remark("later operations of a connection are unrecorded: " + why);
            tables.stopEverything("a connection may use another database now: " + why);
        }
    }

    /**
     * Records that names of tables may refer to another schema from here on; on PostgreSQL until the transaction is
     * rolled back, or only in it.
     */
    void hasMoved() {
        isMoved = true;
        hasMovedInTxn = true;
        tables.changed();
    }

    private void txnIsOver() {
        mayHaveMovedBack();
        hasMovedInTxn = false;
    }

    private void mayHaveMovedBack() {
        if (hasMovedInTxn) {
            isMoved = true;
            tables.changed();
        }
    }

    /** Returns the table that a statement means; null if it is not recorded. */
    @Nullable
    RecordedTable find(StatementShape.TableUse use) throws SQLException {
        if (isLost) {
            return null;
        }
        if (current == null && firstQueryNs == 0 && !commitsByItself()) {
            firstQueryNs = JdbcTxn.nowNs();
        }
        if (isMoved) {
            path = tables.path(connection);
            isMoved = false;
        }
        return tables.find(use, path, connection);
    }

    // ---------------------------------------------------------------- transactions

    /** Returns the transaction that the next statement belongs to. */
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
        long invokedNs = isStatement || firstQueryNs == 0 ? JdbcTxn.nowNs() : firstQueryNs;
        return new JdbcTxn(archive.nextTxn(), session, nextPosition++, invokedNs, isolation, isStatement);
    }

    /** Records that the application chose another level. */
    void isolationChanged(int level) {
        isolation = isolationOf(level); // the driver is not queried: that may start a query, and so a transaction
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

    /** Records that a statement of a transaction was answered. */
    void answered(JdbcTxn txn) {
        if (txn.isStatement()) {
            end(txn, Status.COMMITTED);
        }
    }

    /** Records that a statement of a transaction failed. */
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
        firstQueryNs = 0;
        savepoints.clear();
        txnIsOver();
        if (status != Status.COMMITTED && !redefined.isEmpty()) {
            tables.redefine(List.copyOf(redefined), path);
        }
        redefined.clear();
        if (current != null) {
            JdbcTxn over = current;
            current = null;
            end(over, status);
        }
    }

    // ---------------------------------------------------------------- ends of transactions

    /** A step that the database executes. */
    @FunctionalInterface
    interface Step {
        void run() throws SQLException;
    }

    /** A call with an answer, made through a proxy. */
    @FunctionalInterface
    interface Answered<T> {
        T run() throws Throwable;
    }

    /** Begins a transaction explicitly, by a statement or the application. */
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

    /** Runs several statements instead of one auto-committed statement: all of them or none. */
    <T> T together(Answered<T> statements) throws Throwable {
        connection.setAutoCommit(false);
        try {
            T answer = statements.run();
            commit(connection::commit);
            connection.setAutoCommit(true);
            return answer;
        } catch (Throwable failure) {
            try {
                rollback(connection::rollback);
                connection.setAutoCommit(true);
            } catch (SQLException gone) {
                failure.addSuppressed(gone);
            }
            throw failure;
        }
    }

    /** Runs a statement that commits. */
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
        endCurrent(isDoomed ? Status.ABORTED : Status.COMMITTED); // PostgreSQL rolls back failed transactions
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

    /** Runs a statement that rolls back. */
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

    /** Records that a definition ran. Some databases commit a definition, and all statements before it, at once. */
    void defined(List<String> names, boolean changesRows) throws SQLException {
        String temporary = temporary(names);
        if (temporary != null && path.stream().anyMatch(each -> each.has(temporary))) {
            lose("a temporary table hides another table: table=" + temporary);
        }
        if (changesRows) {
            tables.redefine(names, path);
            redefined.addAll(names);
        } else {
            tables.define();
        }
        if (product.isCommittedByDefinition()) {
            endCurrent(Status.COMMITTED);
        }
    }

    /** Returns the temporary table that a definition makes; null if it makes none. */
    private static @Nullable String temporary(List<String> names) {
        int at = names.indexOf("table") + 1;
        boolean isTemporary = at > 1
                && names.get(0).equals("create")
                && names.subList(0, at).stream().anyMatch(word -> word.startsWith("temp"));
        while (isTemporary
                && at < names.size()
                && List.of("if", "not", "exists").contains(names.get(at))) {
            at++;
        }
        return isTemporary && at < names.size() ? names.get(at) : null;
    }

    void savepoint(Object name) {
        savepoints.put(name, current == null ? 0 : current.opCount());
    }

    /** Removes the operations after a savepoint; an unknown savepoint removes all. */
    void backTo(Object name) throws SQLException {
        settle();
        if (current != null) {
            current.backTo(savepoints.getOrDefault(name, 0));
        }
        mayHaveMovedBack();
    }

    /** Records operations that bypass the recording as a transaction, or part of one, with unknown operations. */
    void goesAround(Class<?> type) throws SQLException {
        archive.remark("accesses that bypass the recording are missing: unwrapped=" + type.getName());
        JdbcTxn txn = txn();
        txn.add(JdbcOp.opaque("unwrapped: " + type.getName()));
        answered(txn);
    }

    /** Records that the connection was closed or lost. */
    void close() throws SQLException {
        settle();
        endCurrent(Status.UNKNOWN);
    }

    // ---------------------------------------------------------------- results that are still being read

    void opened(OpenRows rows) {
        open.removeIf(OpenRows::isOver);
        open.add(rows);
    }

    /** Settles results of writing statements, which must be known before another statement runs. */
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

    /** Closes the results that are still open. */
    void settle() throws SQLException {
        for (OpenRows rows : List.copyOf(open)) {
            rows.settle();
        }
        open.clear();
    }

    /** Rows of a result that the application is reading. */
    interface OpenRows {
        /** Reads the available result, or records that it will never be known. */
        void settle() throws SQLException;

        boolean isOver();

        boolean areWritten();
    }
}
