package io.nightjar.jdbc;

import static java.util.Objects.requireNonNull;

import io.nightjar.jdbc.RecordedTable.RowImage;
import io.nightjar.jdbc.StatementShape.Kind;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Notes of the rows that a statement read or wrote. */
final class RowNotes {

    private final SessionRecorder log;
    private final JdbcTxn txn;
    private final StatementPlan plan;
    private final String sql;
    private final JdbcOp op;
    private final @Nullable JdbcOp search; // null if it reads only the row of a key
    private final boolean isOfKey;
    private final @Nullable String key;
    private @Nullable RowImage only; // the row that the condition of a search names, in full; null if it does not
    private long expected = -1; // -1 if unknown

    /** @param isOfKey whether the row of one key is requested, which is {@code key} if its text is known */
    private RowNotes(
            SessionRecorder log,
            JdbcTxn txn,
            StatementPlan plan,
            String sql,
            JdbcOp op,
            @Nullable JdbcOp search,
            boolean isOfKey,
            @Nullable String key) {
        this.log = log;
        this.txn = txn;
        this.plan = plan;
        this.sql = sql;
        this.op = op;
        this.search = search;
        this.isOfKey = isOfKey;
        this.key = key;
        txn.add(op);
    }

    /** Begins the notes of a read. */
    static RowNotes ofRead(SessionRecorder log, JdbcTxn txn, StatementPlan plan, String sql, BoundParameters bound)
            throws SQLException {
        if (plan.tables().size() > 1) {
            JdbcOp joined = JdbcOp.reads();
            joined.untold(sql);
            return new RowNotes(log, txn, plan, sql, joined, null, false, null);
        }
        SqlCondition condition = plan.shape().condition();
        boolean isWhole = plan.shape().isWhole();
        long limit = isWhole ? Long.MAX_VALUE : limit(plan, bound);
        if (plan.shape().answer() == null && limit > 0 && condition != null && condition.isOfKey(plan.table())) {
            return new RowNotes(log, txn, plan, sql, JdbcOp.reads(), null, true, keyOf(plan, bound));
        }
        JdbcOp search = search(plan, bound);
        if (limit < 0) {
            search.untold(sql);
        } else if (!isWhole) {
            search.limit(limit, order(plan.table(), requireNonNull(plan.shape().limit())));
        }
        return new RowNotes(log, txn, plan, sql, search, null, false, null);
    }

    /** Returns the number of rows at which a statement ends; -1 if unknown. */
    private static long limit(StatementPlan plan, BoundParameters bound) {
        StatementShape.Limit limit = plan.shape().limit();
        if (limit == null) {
            return -1;
        }
        Object count = limit.count() instanceof SqlCondition.Literal literal
                ? literal.value()
                : bound.value((int) limit.count());
        boolean isInteger = count instanceof Long || count instanceof Integer;
        return isInteger ? ((Number) requireNonNull(count)).longValue() : -1;
    }

    /** Returns the order of a limit as SQL; null if the database may order nulls or texts in another way. */
    private static @Nullable String order(RecordedTable table, StatementShape.Limit limit) {
        String column = limit.order() == null ? null : table.integerOfKey(limit.order());
        return column == null ? null : column + (limit.isDescending() ? " DESC" : "");
    }

    /** Begins the notes of a write; its reads in addition to the row of a key precede it. */
    static RowNotes ofWrite(SessionRecorder log, JdbcTxn txn, StatementPlan plan, String sql, BoundParameters bound)
            throws SQLException {
        SqlCondition condition = plan.shape().condition();
        boolean isOfKey = condition != null && condition.isOfKey(plan.table());
        JdbcOp search = plan.searches() ? search(plan, bound) : null;
        if (plan.shape().writing().reads()) {
            txn.add(JdbcOp.opaque(sql));
        } else if (search != null) {
            txn.add(search);
        }
        String key = isOfKey ? keyOf(plan, bound) : null;
        JdbcOp writes = JdbcOp.writes();
        RecordedTable table = plan.table();
        if (plan.shape().kind() == Kind.INSERT && key != null && !table.mayPreventWrites()) {
            writes.insertIfAbsent(table.image(key, table.keyColumns(), values(plan, bound, table.keyColumns())));
        }
        RowNotes notes = new RowNotes(log, txn, plan, sql, writes, search, isOfKey, key);
        if (search != null && condition != null && condition.isOf(table.columns())) {
            String only = table.key(values(plan, bound, table.keyColumns()));
            notes.only = only == null ? null : table.image(only, table.columns(), values(plan, bound, table.columns()));
        }
        return notes;
    }

    private static JdbcOp search(StatementPlan plan, BoundParameters bound) {
        SqlCondition condition = plan.shape().condition();
        String answer = plan.shape().answer();
        String all = plan.table().keyColumns().get(0) + " IS NOT NULL";
        String rows = condition == null ? all : condition.text();
        String text = answer == null ? rows : condition == null ? answer : answer + " WHERE " + rows;
        return JdbcOp.search(
                plan.table().name(),
                text,
                condition == null ? List.of() : bound.values(condition.firstParameter(), condition.parameterCount()));
    }

    /** Returns the key that the condition names; null if the database may write it in another way. */
    private static @Nullable String keyOf(StatementPlan plan, BoundParameters bound) throws SQLException {
        return plan.table().key(keyValues(plan, bound));
    }

    /** Returns the constants that the columns of the key are compared with, by a condition on the row of one key. */
    static List<@Nullable Object> keyValues(StatementPlan plan, BoundParameters bound) {
        return values(plan, bound, plan.table().keyColumns());
    }

    private static List<@Nullable Object> values(StatementPlan plan, BoundParameters bound, List<String> columns) {
        SqlCondition condition = requireNonNull(plan.shape().condition());
        List<@Nullable Object> values = new ArrayList<>();
        for (String column : columns) {
            Object constant = requireNonNull(condition.constantOf(column));
            values.add(
                    constant instanceof SqlCondition.Literal literal ? literal.value() : bound.value((int) constant));
        }
        return values;
    }

    boolean isAnswer() {
        return plan.shape().answer() != null;
    }

    boolean areWrites() {
        return plan.shape().isWrite();
    }

    /** Returns the key that the condition names; null if it names none, or the database may write it in another way. */
    @Nullable
    String key() {
        return key;
    }

    /** Returns the number of rows noted. */
    int rowCount() {
        return op.rowCount();
    }

    void answer(@Nullable Object value) throws SQLException {
        op.answer(value);
    }

    /** Adds a row that met the condition of a writing statement that searches, before it was written. */
    void found(RecordedTable table, @Nullable RowImage row, long xmin) {
        if (row == null) {
            hasNoKey(table);
        } else {
            read(requireNonNull(search), table, row, xmin);
        }
    }

    /** Stops recording a table: SQLite has rows without a key, which cannot be distinguished. */
    private void hasNoKey(RecordedTable table) {
        log.tables().stop(table, RecordedTable.NO_KEY);
    }

    private void read(JdbcOp into, RecordedTable table, RowImage row, long xmin) {
        if (txn.hasCapacity()) {
            long writer = table.writerOf(row, xmin, log.archive().writers());
            into.add(row, writer == txn.id ? 0 : writer);
            log.archive().read(txn, table, row);
        } else {
            into.untold(sql);
        }
    }

    /** Sets the number of rows the statement wrote, as reported by the database. */
    void expect(long rows) {
        expected = rows;
    }

    /**
     * @param row null if it has no key
     * @param xmin PostgreSQL's number of the writer of the row; {@code XminIndex.NONE} if unknown
     */
    void row(RecordedTable table, @Nullable RowImage row, long xmin) {
        if (row == null) {
            hasNoKey(table);
        } else if (areWrites()) {
            if (xmin != XminIndex.NONE && plan.shape().kind() != Kind.DELETE) {
                log.archive().writers().add(xmin, txn.id);
            }
            if (search != null && plan.shape().kind() == Kind.DELETE) {
                found(table, row, xmin);
            }
            wrote(table, row, txn.hasCapacity());
        } else {
            read(op, table, row, xmin);
        }
    }

    private void wrote(RecordedTable table, RowImage row, boolean hasCapacity) {
        RowImage written = plan.shape().kind() == Kind.DELETE ? RowImage.absent(row.key()) : row;
        if (op.isInsertIfAbsent()) {
            log.archive().read(txn, table, RowImage.absent(row.key()));
        }
        if (hasCapacity) {
            op.add(written, 0);
            log.archive().wrote(txn, written);
        } else {
            log.tables().stop(table, "one transaction wrote too many rows");
        }
    }

    /** Records that the application has moved in the rows other than to the next one. */
    void isNotAll() {
        op.untold(sql);
    }

    /** Returns whether an update wrote as many rows as met its condition in one state of the table. */
    private boolean countsMatches() {
        boolean isOfOneState = log.product() == JdbcProduct.SQLITE || log.product() == JdbcProduct.DUCKDB;
        return isOfOneState
                && !plan.table().mayPreventWrites()
                && !plan.shape().names().contains("limit");
    }

    /** @param isExhausted whether all rows were noted */
    void end(boolean isExhausted) throws SQLException {
        boolean isOnlyOne = op.isAnswered() || op.isFull() || isOfKey && op.rowCount() == 1;
        if (!isExhausted && !isOnlyOne) {
            op.untold(sql);
            return;
        }
        op.isComplete();
        boolean areAll = expected < 0 || expected == op.rowCount();
        if (only != null && op.rowCount() == 1 && requireNonNull(search).rowCount() == 0) {
            found(plan.table(), only, XminIndex.NONE);
        }
        if (areAll && search != null && search.hasKeysOf(op)) {
            search.isComplete();
        } else if (areAll && search != null && search.rowCount() == 0 && countsMatches()) {
            search.count(op.rowCount());
        }
        boolean isInsert = plan.shape().kind() == Kind.INSERT;
        boolean isNone = op.rowCount() == 0 && (isOfKey || isInsert);
        if (isNone && op.isInsertIfAbsent()) {
            log.archive().found(txn, plan.table(), requireNonNull(key));
            op.refused();
        } else if (isNone
                && key != null
                && !isInsert
                && !(areWrites() && plan.table().mayPreventWrites())) {
            log.archive().read(txn, plan.table(), RowImage.absent(key));
            op.absent(key);
        } else if (isNone || op.rowCount() < plan.shape().writing().given()) {
            op.untold(sql);
        }
    }
}
