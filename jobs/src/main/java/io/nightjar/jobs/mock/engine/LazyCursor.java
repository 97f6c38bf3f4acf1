package io.nightjar.jobs.mock.engine;

import io.nightjar.jobs.mock.MockSession;
import io.nightjar.jobs.mock.PredicateRead;
import org.h2.index.Cursor;
import org.h2.message.DbException;
import org.h2.result.Row;
import org.h2.result.SearchRow;
import org.jspecify.annotations.Nullable;

/** Reads a row only when H2 has come to it, as each read is a choice. */
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

    /** Whether only its writer can see any version of a row. */
    boolean isUnborn(TableRow row) {
        return context.mock().isUnborn(row.object());
    }

    /** Sets the search that notes what is found; null if no search is kept. */
    void search(@Nullable PredicateRead begun) {
        search = begun;
    }

    /** A row that was read is one of those that are found. */
    boolean found(TableRow row) {
        if (search != null) {
            search.match(row.object());
        }
        return true;
    }

    /** Ends the cursor, as there are no more rows: always false. */
    boolean end() {
        if (search != null) {
            search.finish();
            search = null;
        }
        return false;
    }

    /** Reads a row, which is the current one then; null if it is not there. */
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
