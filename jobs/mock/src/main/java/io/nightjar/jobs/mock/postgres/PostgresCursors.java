package io.nightjar.jobs.mock.postgres;

import io.nightjar.jobs.mock.MockException;
import io.nightjar.jobs.mock.sql.SqlColumn;
import io.nightjar.jobs.mock.sql.SqlResult;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** SQL cursors: all rows are read at declaration, since a cursor reads one state, and returned step by step. */
final class PostgresCursors {

    private static final class Cursor {

        private final SqlResult all;
        private final boolean isHeld;

        /** Number of rows already returned. */
        private int at;

        private Cursor(SqlResult all, boolean isHeld) {
            this.all = all;
            this.isHeld = isHeld;
        }
    }

    private final Map<String, Cursor> open = new HashMap<>();

    /** @throws MockException if the name is in use */
    void check(String name) {
        if (open.containsKey(name)) {
            throw new MockException("42P03", "cursor \"" + name + "\" already exists");
        }
    }

    void open(PostgresStatement declared, SqlResult all, boolean isHeld) {
        open.put(declared.name(), new Cursor(all.named(declared::columnName), isHeld));
    }

    private Cursor named(String name) {
        Cursor cursor = open.get(name);
        if (cursor == null) {
            throw new MockException("34000", "cursor \"" + name + "\" does not exist");
        }
        return cursor;
    }

    List<SqlColumn> columns(String name) {
        return named(name).all.head();
    }

    /** Returns the next rows; for MOVE only their number. */
    SqlResult fetch(PostgresStatement statement) {
        Cursor cursor = named(statement.name());
        List<Object[]> rows = cursor.all.rows();
        boolean isAll = statement.value().equals("all");
        int from = cursor.at;
        int to = isAll ? rows.size() : (int) Math.min(rows.size(), from + Long.parseLong(statement.value()));
        cursor.at = to;
        boolean isMove = statement.action() == PostgresStatement.Action.MOVE;
        List<Object[]> fetched = rows.subList(from, to);
        return new SqlResult(isMove ? null : cursor.all.columns(), isMove ? List.of() : fetched, fetched.size());
    }

    void close(String name) {
        if (name.equals("all")) {
            closeAll();
        } else {
            named(name);
            open.remove(name);
        }
    }

    void closeAll() {
        open.clear();
    }

    /** Closes the cursors that do not outlive their transaction. */
    void transactionEnds() {
        open.values().removeIf(cursor -> !cursor.isHeld);
    }
}
