package io.nightjar.jobs.mock.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The result of a statement.
 *
 * @param columns null if it returns no rows
 * @param rows values of the classes in {@link SqlType}, null for NULL
 * @param count number of returned or changed rows
 */
public record SqlResult(@Nullable List<SqlColumn> columns, List<Object[]> rows, long count) {

    /** Function that names the columns of a result. */
    @FunctionalInterface
    public interface Names {

        /** Returns the name of the column at an index, given H2's name. */
        String of(int column, int count, String name);
    }

    /** Returns the columns of a result with rows. */
    public List<SqlColumn> head() {
        return Objects.requireNonNull(columns);
    }

    /** Returns a copy with renamed columns; requires rows. */
    public SqlResult named(Names names) {
        List<SqlColumn> renamed = new ArrayList<>();
        for (int i = 0; i < head().size(); i++) {
            SqlColumn column = head().get(i);
            renamed.add(column.called(names.of(i, head().size(), column.name())));
        }
        return new SqlResult(renamed, rows, count);
    }
}
