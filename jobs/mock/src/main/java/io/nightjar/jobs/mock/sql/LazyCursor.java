package io.nightjar.jobs.mock.sql;

import io.nightjar.jobs.mock.MockSession;
import io.nightjar.jobs.mock.PredicateRead;
import org.h2.index.Cursor;
import org.h2.message.DbException;
import org.h2.result.Row;
import org.h2.result.SearchRow;
import org.jspecify.annotations.Nullable;

/** Cursor that reads a row only when H2 advances to it, as each read is a choice. */
abstract class LazyCursor implements Cursor {

    private final MockTable table;
    private final SqlContext context;
    private final MockSession.Manner manner;
    private @Nullable Row current;
    private @Nullable PredicateRead search;

    LazyCursor(MockTable table, SqlContext context, MockSession.Manner manner) {
        this.table = table;
        this.context = context;
        this.manner = manner;
    }

    /** Returns whether only its writer can observe any version of a row. */
    boolean isUnborn(TableRow row) {
        return context.mock().isUnborn(row.object());
    }

    /** Sets the predicate read that records matching rows; null if none is archived. */
    void search(@Nullable PredicateRead begun) {
        search = begun;
    }

    /** Records a matching row; always true. */
    boolean found(TableRow row) {
        if (search != null) {
            search.match(row.object());
        }
        return true;
    }

    /** Completes the cursor after its last row; always false. */
    boolean end() {
        if (search != null) {
            search.finish();
            search = null;
        }
        return false;
    }

    /** Reads a row as the current row; null if it does not exist. */
    @Nullable
    Row read(TableRow row) {
        current = table.read(context, row, manner);
        return current;
    }

    @Override
    public @Nullable Row get() {
        return current;
    }

    @Override
    public @Nullable SearchRow getSearchRow() {
        return current;
    }

    @Override
    public boolean previous() {
        throw DbException.getInternalError("cursors go forward");
    }
}
