package io.nightjar.jdbc;

import static java.util.Objects.requireNonNull;

import io.nightjar.jdbc.RecordedTable.RowImage;
import io.nightjar.jdbc.StatementShape.Kind;
import java.lang.reflect.Method;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One execution of a statement: sends it and records its rows. */
final class StatementExecution {

    private final SessionRecorder log;
    private final Statement statement;
    private final StatementPlan plan;
    private final String sql;
    private final BoundParameters bound;
    private final @Nullable PreparedText prepared;
    private @Nullable Long count;
    private @Nullable RecordedRows rows;
    private @Nullable RecordedRows keys;

    /**
     * @param sql as the application wrote it
     * @param prepared null for a plain statement
     */
    StatementExecution(
            SessionRecorder log,
            Statement statement,
            StatementPlan plan,
            String sql,
            BoundParameters bound,
            @Nullable PreparedText prepared) {
        this.log = log;
        this.statement = statement;
        this.plan = plan;
        this.sql = sql;
        this.bound = bound;
        this.prepared = prepared;
    }

    /** Returns the number of rows written, if the driver does not provide it; else null. */
    @Nullable
    Long count() {
        return count;
    }

    /** Returns the rows returned, if they are recorded; else null. */
    @Nullable
    RecordedRows rows() {
        return rows;
    }

    /** Returns the generated keys that the application requested, if they are recorded; else null. */
    @Nullable
    RecordedRows keys() {
        return keys;
    }

    Object asItIs(Method method, Object[] args) throws Throwable {
        return ProxyCalls.on(statement, method, args);
    }

    Object execute(Method method, Object[] args) throws Throwable {
        SessionRecorder.Answered<Object> send = () -> asItIs(method, args);
        List<String> names = plan.shape().names();
        if (!plan.shape().isWrite() && (names.contains("trigger") || names.contains("rule"))) {
            log.tables().haveTriggers();
        }
        switch (plan.shape().kind()) {
            case NOTHING:
                return send.run();
            case BEGIN:
                Object begun = send.run();
                log.begins();
                return begun;
            case COMMIT:
                return log.committing(send);
            case ROLLBACK:
                return log.rollingBack(send);
            case SAVEPOINT:
                Object made = send.run();
                log.savepoint(names.get(names.size() - 1));
                return made;
            case ROLLBACK_TO_SAVEPOINT:
                Object back = send.run();
                log.backTo(names.get(names.size() - 1));
                return back;
            case DEFINITION, REDEFINITION:
                Object defined = send.run();
                log.defined(names, plan.shape().kind() == Kind.REDEFINITION);
                return defined;
            case OTHER_NAMES:
                Object moved = send.run();
                log.hasMoved();
                return moved;
            case UNKNOWN_NAMES:
                log.lose(sql);
                return inTransaction(method, args);
            default:
                return plan.isSeveral(log.product()) && log.commitsByItself()
                        ? log.together(() -> inTransaction(method, args))
                        : inTransaction(method, args);
        }
    }

    // ---------------------------------------------------------------- in a transaction

    private Object inTransaction(Method method, Object[] args) throws Throwable {
        JdbcTxn txn = log.txn();
        txn.statement(sql);
        try {
            return switch (plan.mode()) {
                case PLAIN -> opaque(txn, method, args);
                case READ -> read(txn, method, args);
                case RETURNING, AS_KEYS, AS_QUERY, READ_AFTER, LOCK_AND_READ, READ_GENERATED ->
                    write(txn, method, args);
            };
        } catch (SQLException failure) {
            boolean mayHaveWritten = txn.isStatement() && plan.shape().isWrite() && log.isBroken(failure);
            if (mayHaveWritten) {
                log.tables()
                        .stopAll(
                                plan.shape().names(), "the writes of a statement are unknown: " + failure.getMessage());
            }
            log.failed(txn, failure);
            throw failure;
        }
    }

    private Object opaque(JdbcTxn txn, Method method, Object[] args) throws Throwable {
        Kind kind = plan.shape().kind();
        if (kind == Kind.OPAQUE_CALL || kind == Kind.UNKNOWN_NAMES) {
            log.tables().stopEverything(txn, "a statement may have changed anything: " + sql);
        } else if (kind == Kind.OPAQUE_WRITE || plan.shape().isWrite()) {
            stopWritten(txn);
        }
        txn.add(JdbcOp.opaque(sql));
        Object answer = asItIs(method, args);
        log.answered(txn);
        return answer;
    }

    private void stopWritten(JdbcTxn txn) throws SQLException {
        String why = "a statement does not report its writes: " + sql;
        log.tables().stopAll(plan.shape().names(), txn, why);
        for (StatementShape.TableUse use : plan.shape().tables()) {
            if (log.tables().isView(use, log.connection())) {
                log.tables().stopEverything(why);
            }
            stopDependents(use.name());
        }
    }

    /**
     * Stops recording tables whose rows may change together with rows of the given table, without any statement that
     * names them.
     */
    private void stopDependents(String table) throws SQLException {
        log.tables()
                .stopAll(
                        log.tables().dependents(table, log.connection()),
                        "its rows may have changed together with rows of " + table + ": " + sql);
    }

    private Object read(JdbcTxn txn, Method method, Object[] args) throws Throwable {
        RowNotes notes = RowNotes.ofRead(log, txn, plan, sql, bound);
        Object answer = asItIs(method, withText(args));
        open(txn, notes, answer);
        return answer;
    }

    /** Opens the rows returned by a statement, which are recorded as the application reads them. */
    private void open(JdbcTxn txn, RowNotes notes, Object answer) throws SQLException {
        ResultSet result =
                answer instanceof ResultSet set ? set : Boolean.TRUE.equals(answer) ? statement.getResultSet() : null;
        if (result == null) {
            notes.end(false);
            log.answered(txn);
            return;
        }
        rows = new RecordedRows(log, plan, txn, notes, result);
        log.opened(rows);
    }

    private Object[] withText(Object[] args) {
        if (prepared != null) {
            return args;
        }
        Object[] sent = args.clone();
        sent[0] = plan.sql();
        return sent;
    }

    private Object write(JdbcTxn txn, Method method, Object[] args) throws Throwable {
        if (txn.isStatement()) {
            log.archive().isAtWork(txn, plan.table());
        }
        if (plan.shape().kind() == Kind.DELETE) {
            stopDependents(plan.shape().tables().get(0).name());
        }
        int opsBefore = txn.opCount();
        RowNotes notes = RowNotes.ofWrite(log, txn, plan, sql, bound);
        try {
            List<List<@Nullable Object>> found = plan.looksFirst(log.product()) ? lockRows(notes) : null;
            return switch (plan.mode()) {
                case RETURNING -> {
                    Object answer = asItIs(method, withText(args));
                    open(txn, notes, answer);
                    yield answer;
                }
                case AS_KEYS -> asKeys(txn, notes, args);
                case AS_QUERY -> asQuery(txn, notes);
                case LOCK_AND_READ -> readAfter(txn, notes, () -> locked(found));
                case READ_GENERATED -> readAfter(txn, notes, () -> generated(method, args));
                default -> readAfter(txn, notes, this::ofKey);
            };
        } catch (SQLException failure) {
            txn.backTo(opsBefore);
            throw failure;
        }
    }

    private Object asKeys(JdbcTxn txn, RowNotes notes, Object[] args) throws SQLException {
        Object wish = prepared != null ? prepared.wish() : args.length == 2 ? args[1] : null;
        long written;
        if (prepared != null) {
            written = ((PreparedStatement) statement).executeUpdate();
        } else {
            Object request = KeyRequest.of(plan, log.product(), wish);
            written = (request instanceof String[] columns
                    ? statement.executeUpdate(plan.sql(), columns)
                    : statement.executeUpdate(plan.sql(), Statement.RETURN_GENERATED_KEYS));
        }
        count = written;
        if (written == 0 && !KeyRequest.isAny(wish)) { // HSQLDB has no columns to return then
            notes.end(true);
            log.answered(txn);
            return written;
        }
        notes.expect(written);
        RecordedRows images = new RecordedRows(log, plan, txn, notes, statement.getGeneratedKeys());
        if (KeyRequest.isAny(wish)) {
            keys = images;
            log.opened(images);
        } else {
            images.drain();
            if (notes.rowCount() != written) {
                stopTable("the driver returned other rows than the statement wrote: ");
            }
        }
        return written;
    }

    private Object asQuery(JdbcTxn txn, RowNotes notes) throws SQLException {
        long returned = 0;
        try (ResultSet result = prepared != null
                ? ((PreparedStatement) statement).executeQuery()
                : statement.executeQuery(plan.sql())) {
            int[][] positions = RecordedRows.positions(plan, result.getMetaData());
            while (result.next()) {
                notes.row(plan.table(), plan.table().image(result, positions[0]), XminIndex.NONE);
                returned++;
            }
        }
        count = returned;
        notes.end(true);
        log.answered(txn);
        return returned;
    }

    // ---------------------------------------------------------------- rows read afterwards

    /** Runs the statement, and returns the keys of the rows to read afterwards, null if unknown. */
    @FunctionalInterface
    private interface KeyedStatement {
        @Nullable
        List<List<@Nullable Object>> run() throws SQLException;
    }

    private Object readAfter(JdbcTxn txn, RowNotes notes, KeyedStatement statementAndKeys) throws SQLException {
        List<List<@Nullable Object>> keys = statementAndKeys.run();
        boolean areNoted = keys != null && recordRows(notes, keys);
        if (!areNoted) {
            stopTable("the written rows are unknown: ");
        }
        notes.end(true);
        log.answered(txn);
        return requireNonNull(count); // the statement has been run
    }

    /** Reads rows by their keys; returns whether all are there. */
    private boolean recordRows(RowNotes notes, List<List<@Nullable Object>> keys) throws SQLException {
        for (List<@Nullable Object> key : keys) {
            if (!recordRow(notes, key)) {
                return false;
            }
        }
        return true;
    }

    private void stopTable(String why) {
        log.tables().stop(plan.table(), why + sql);
    }

    private long executeUpdate() throws SQLException {
        long written = prepared != null
                ? ((PreparedStatement) statement).executeUpdate()
                : statement.executeUpdate(plan.sql());
        count = written;
        return written;
    }

    private List<List<@Nullable Object>> ofKey() throws SQLException {
        return executeUpdate() > 0 ? List.of(RowNotes.keyValues(plan, bound)) : List.of();
    }

    /**
     * Reads and locks the rows that an update will change, so that no other transaction changes them in between.
     *
     * @return their keys; null if they cannot be queried
     */
    private @Nullable List<List<@Nullable Object>> lockRows(RowNotes notes) throws SQLException {
        RecordedTable table = plan.table();
        SqlCondition condition = plan.shape().condition();
        if (condition != null && !bound.canBeSetAgain(condition.firstParameter(), condition.parameterCount())) {
            return null;
        }
        String read = "SELECT " + table.allQuoted() + (table.tellsWriters() ? ", xmin" : "") + " FROM "
                + table.quotedName() + (condition == null ? "" : " WHERE " + condition.text())
                + log.product().lockOfUpdates();
        List<List<@Nullable Object>> keys = new ArrayList<>();
        try (PreparedStatement locking = log.connection().prepareStatement(read)) {
            if (condition != null) {
                bound.setSome(condition.firstParameter(), condition.parameterCount(), locking);
            }
            try (ResultSet rows = locking.executeQuery()) {
                int[] positions = table.positionsFrom(1);
                while (rows.next()) {
                    notes.found(table, table.image(rows, positions), table.xmin(rows, positions));
                    List<@Nullable Object> key = new ArrayList<>();
                    for (String column : table.keyColumns()) {
                        key.add(rows.getObject(1 + table.columns().indexOf(column)));
                    }
                    keys.add(key);
                }
            }
        }
        return keys;
    }

    /** @param found the keys of the rows found; null if they could not be queried */
    private @Nullable List<List<@Nullable Object>> locked(@Nullable List<List<@Nullable Object>> found)
            throws SQLException {
        long written = executeUpdate();
        return found != null && written == found.size() ? found : null;
    }

    private @Nullable List<List<@Nullable Object>> generated(Method method, Object[] args) throws SQLException {
        Object answer = ProxyCalls.ask(() -> asItIs(method, args));
        long written = answer instanceof Number number ? number.longValue() : statement.getUpdateCount();
        count = written;
        List<List<@Nullable Object>> keys = new ArrayList<>();
        try (ResultSet rows = statement.getGeneratedKeys()) {
            while (rows.next()) {
                keys.add(List.of(rows.getObject(1)));
            }
        }
        return written == keys.size() ? keys : null;
    }

    /** Reads a row by its key; false if it is not there. */
    private boolean recordRow(RowNotes notes, List<@Nullable Object> key) throws SQLException {
        RecordedTable table = plan.table();
        if (plan.shape().kind() == Kind.DELETE) {
            if (notes.key() != null) {
                notes.row(table, new RowImage(notes.key(), ""), XminIndex.NONE);
            }
            return notes.key() != null;
        }
        StringBuilder where = new StringBuilder();
        for (String column : table.keyColumns()) {
            where.append(where.length() == 0 ? "" : " AND ")
                    .append(table.quoted(column))
                    .append(" = ?");
        }
        String read = "SELECT " + table.allQuoted() + " FROM " + table.quotedName() + " WHERE " + where;
        try (PreparedStatement selecting = log.connection().prepareStatement(read)) {
            for (int i = 0; i < key.size(); i++) {
                selecting.setObject(i + 1, key.get(i));
            }
            try (ResultSet row = selecting.executeQuery()) {
                boolean isThere = row.next();
                if (isThere) {
                    notes.row(table, table.image(row, table.positionsFrom(1)), XminIndex.NONE);
                }
                return isThere;
            }
        }
    }
}
