package io.nightjar.jobs.mock.engine;

import java.util.ArrayList;
import java.util.List;

/**
 * What a statement returned.
 *
 * @param columns null if it returns no rows
 * @param rows values as {@link SqlType} says, null for NULL
 * @param count rows that were returned or changed
 */
public record SqlResult(List<SqlColumn> columns, List<Object[]> rows, long count) {

    /** Says what a column is called. */
    @FunctionalInterface
    public interface Names {

        /** The name of a column of so many, which H2 calls by the last one. */
        String of(int column, int count, String name);
    }

    /** The same with columns of other names. */
    public SqlResult named(Names names) {
        List<SqlColumn> renamed = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            SqlColumn column = columns.get(i);
            renamed.add(column.called(names.of(i, columns.size(), column.name())));
        }
        return new SqlResult(renamed, rows, count);
    }
}
