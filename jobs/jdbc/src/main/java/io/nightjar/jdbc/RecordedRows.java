package io.nightjar.jdbc;

import io.nightjar.jdbc.RecordedTable.RowImage;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.sql.rowset.CachedRowSet;
import javax.sql.rowset.RowSetProvider;
import org.jspecify.annotations.Nullable;

/** A result that an application reads row by row, with the rows it has read recorded. */
final class RecordedRows extends ProxyCalls implements SessionRecorder.OpenRows {

    private static final Set<String> WANDERING =
            Set.of("first", "last", "absolute", "relative", "previous", "beforeFirst", "afterLast");
    private static final Set<String> CHANGING = Set.of("insertRow", "updateRow", "deleteRow");

    private final SessionRecorder log;
    private final StatementPlan plan;
    private final JdbcTxn txn;
    private final RowNotes notes;
    private final int[][] positionsOf; // by table
    private final Set<String> seen = new HashSet<>();
    private ResultSet rows;
    private @Nullable Statement owner; // null until set
    private boolean isOver;
    private boolean isBegun;

    RecordedRows(SessionRecorder log, StatementPlan plan, JdbcTxn txn, RowNotes notes, ResultSet rows)
            throws SQLException {
        super(rows);
        this.log = log;
        this.plan = plan;
        this.txn = txn;
        this.notes = notes;
        this.rows = rows;
        this.positionsOf = notes.isAnswer() ? new int[0][] : positions(plan, rows.getMetaData());
    }

    /** Sets the statement that the application observes as the owner of the result. */
    void setStatement(Statement statement) {
        owner = statement;
    }

    /** Returns the indexes of the columns of each table. */
    static int[][] positions(StatementPlan plan, ResultSetMetaData about) throws SQLException {
        List<RecordedTable> tables = plan.tables();
        int[][] positions = new int[tables.size()][];
        int next = about.getColumnCount() - plan.hidden() + 1;
        for (int table = 0; table < positions.length; table++) {
            RecordedTable one = tables.get(table);
            int count = one.columns().size();
            boolean asksForWriter = plan.asksForWriter(one);
            positions[table] = one.positionsFrom(next);
            next += asksForWriter ? count + 1 : count;
            for (int i = 0; !plan.areRowsHidden() && i < count; i++) {
                positions[table][i] = positionOf(one.columns().get(i), about);
            }
            if (one.tellsWriters() && !asksForWriter) {
                positions[table][count] = 0;
            } else if (one.tellsWriters() && !plan.areRowsHidden()) {
                positions[table][count] = plan.hidden() > 0 ? about.getColumnCount() : anyPositionOf("xmin", about);
            }
        }
        return positions;
    }

    private static int positionOf(String column, ResultSetMetaData about) throws SQLException {
        int position = anyPositionOf(column, about);
        if (position == 0) {
            throw new SQLException("column is missing in the result of the database: column=" + column);
        }
        return position;
    }

    /** Returns the position of a column; 0 if it was not returned. */
    private static int anyPositionOf(String column, ResultSetMetaData about) throws SQLException {
        for (int position = 1; position <= about.getColumnCount(); position++) {
            if (about.getColumnLabel(position).equalsIgnoreCase(column)) {
                return position;
            }
        }
        return 0;
    }

    @Override
    @Nullable
    Object call(Method method, Object[] args) throws Throwable {
        String name = method.getName();
        if (name.equals("next")) {
            boolean isRow = (boolean) on(rows, method, args);
            step(isRow);
            return isRow;
        }
        if (name.equals("close")) {
            settle();
        } else if (name.equals("getStatement")) {
            return owner;
        } else if (name.equals("getMetaData") && plan.hidden() > 0) {
            return withoutHidden((ResultSetMetaData) on(rows, method, args), plan.hidden());
        } else if (WANDERING.contains(name)) {
            notes.isNotAll();
        } else if (CHANGING.contains(name)) {
            log.tables().stopAll(plan.shape().names(), "changed through a result set: " + name);
            notes.isNotAll();
        }
        return on(rows, method, args);
    }

    @Override
    @Nullable
    Object unwrapped(Method method, Object[] args) throws Throwable {
        log.goesAround((Class<?>) args[0]);
        return on(rows, method, args);
    }

    static ResultSetMetaData withoutHidden(ResultSetMetaData about, int hidden) {
        return (ResultSetMetaData) Proxy.newProxyInstance(
                RecordedRows.class.getClassLoader(), new Class<?>[] {ResultSetMetaData.class}, (self, method, args) -> {
                    Object answer = on(about, method, args);
                    return method.getName().equals("getColumnCount") ? (Object) ((int) answer - hidden) : answer;
                });
    }

    private void step(boolean isRow) {
        if (isOver) {
            return;
        }
        isBegun = true;
        try {
            if (isRow) {
                record();
            } else {
                end(true);
            }
        } catch (SQLException | RuntimeException unreadable) {
            log.archive().fail("a row cannot be read: " + unreadable.getMessage());
            isOver = true;
        }
    }

    private void record() throws SQLException {
        if (notes.isAnswer()) {
            notes.answer(rows.getObject(1));
            return;
        }
        for (int table = 0; table < positionsOf.length; table++) {
            RowImage row = plan.tables().get(table).image(rows, positionsOf[table]);
            boolean isNew = row == null ? areWritten() : positionsOf.length == 1 || seen.add(row.key());
            if (isNew) {
                RecordedTable one = plan.tables().get(table);
                notes.row(one, row, one.xmin(rows, positionsOf[table]));
            }
        }
    }

    private void end(boolean isComplete) throws SQLException {
        if (!isOver) {
            isOver = true;
            notes.end(isComplete);
            log.answered(txn);
        }
    }

    // ---------------------------------------------------------------- rows that are left

    /** Reads all rows, which the application has not requested. */
    void drain() throws SQLException {
        isBegun = true;
        settle();
    }

    @Override
    public void settle() throws SQLException {
        if (isOver) {
            return;
        }
        try {
            if (areWritten()) {
                takeTheRest();
            }
            end(areWritten());
        } catch (SQLException | RuntimeException unreadable) {
            log.archive().fail("a row cannot be read: " + unreadable.getMessage());
            isOver = true;
        }
    }

    /** Records all rows as written, whether the application reads them or not; if it has not begun to, it still can. */
    private void takeTheRest() throws SQLException {
        if (!isBegun) {
            CachedRowSet copy = RowSetProvider.newFactory().createCachedRowSet();
            copy.populate(rows);
            rows = copy;
        }
        while (rows.next()) {
            record();
        }
        if (!isBegun) {
            rows.beforeFirst();
        }
    }

    @Override
    public boolean isOver() {
        return isOver;
    }

    @Override
    public boolean areWritten() {
        return notes.areWrites();
    }
}
