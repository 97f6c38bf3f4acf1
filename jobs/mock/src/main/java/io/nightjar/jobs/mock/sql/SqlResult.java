package io.nightjar.jobs.mock.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The result of a statement.
 *
 * @param columns null if it returns no rows
 * @param rows values as {@link SqlType} says, null for NULL
 * @param count rows that were returned or changed
 */
public record SqlResult(@Nullable List<SqlColumn> columns, List<Object[]> rows, long count) {

    /** Gives columns their names. */
    @FunctionalInterface
    public interface Names {

        /** Returns the name of the column at a place, which H2 may call by the last one. */
        String of(int column, int count, String name);
    }

    /** Returns the columns of a result that has rows. */
    public List<SqlColumn> head() {
        return Objects.requireNonNull(columns);
    }

    /** Returns a copy of one that has rows, whose columns have other names. */
    public SqlResult named(Names names) {
        List<SqlColumn> renamed = new ArrayList<>();
        for (int i = 0; i < head().size(); i++) {
            SqlColumn column = head().get(i);
            renamed.add(column.called(names.of(i, head().size(), column.name())));
        }
        return new SqlResult(renamed, rows, count);
    }
}
