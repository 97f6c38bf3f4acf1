package io.nightjar.jobs.mock.postgres;

import io.nightjar.jobs.mock.wire.StatementWords;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rewriter that replaces an index of expressions, a partial index, or an index other than a B-tree by an index of the
 * columns it names: results do not depend on indexes. A unique index is not rewritten, as it is a constraint.
 */
final class IndexOfColumns {

    private static final String[] COLUMN_SUFFIXES = {"asc", "desc", "nulls"};

    private IndexOfColumns() {}

    /**
     * Returns the columns to index instead, from the statement's ON on; null if H2 can create the index unchanged, or
     * if no replacement exists.
     */
    static @Nullable String of(StatementWords words, int index, PostgresDialect.Tables tables) {
        int on = words.topLevel("on", index);
        if (on < 0 || words.has(index - 1, "unique")) {
            return null;
        }
        int table = words.has(on + 1, "only") ? on + 2 : on + 1;
        int endOfTable = words.endOfName(table);
        int open = words.has(endOfTable, "using") ? endOfTable + 2 : endOfTable;
        if (!words.has(open, "(")) {
            return null;
        }
        List<String> known = tables.columnsOf(words.name(endOfTable - 1));
        Set<String> columns = new LinkedHashSet<>();
        boolean isPlain = open == endOfTable && words.endOfGroup(open) == words.size();
        for (int[] item : words.items(open + 1, words.endOfGroup(open) - 1)) {
            isPlain &= words.isName(item[0]) && (item[1] == item[0] + 1 || words.hasAny(item[0] + 1, COLUMN_SUFFIXES));
            for (int position = item[0]; position < item[1]; position++) {
                if (words.isName(position) && known.contains(words.text(position))) {
                    columns.add('"' + words.text(position) + '"');
                }
            }
        }
        return isPlain || columns.isEmpty()
                ? null
                : "ON " + words.written(table, endOfTable) + " (" + String.join(", ", columns) + ")";
    }
}
