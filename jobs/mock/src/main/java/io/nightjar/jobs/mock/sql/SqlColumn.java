package io.nightjar.jobs.mock.sql;

import org.jspecify.annotations.Nullable;

/**
 * A column of a result.
 *
 * @param table the source table, null if none
 * @param source the name in the source table
 * @param length length of strings, precision of numbers; 0 if unbounded
 * @param scale scale of numbers
 * @param inTable properties in the source table
 */
public record SqlColumn(
        String name, SqlType type, @Nullable String table, String source, int length, int scale, InTable inTable) {

    /**
     * Properties of a column in its table.
     *
     * @param isKey whether it is part of the primary key
     * @param isIdentity whether the table generates its values
     * @param tableNumber the engine's table number, 0 if the column has no table
     * @param position position among the table's columns, from 1; 0 if none
     */
    public record InTable(boolean isKey, boolean isIdentity, int tableNumber, int position) {

        static final InTable NONE = new InTable(false, false, 0, 0);
    }

    /** Creates a column that is part of no key. */
    public SqlColumn(String name, SqlType type, @Nullable String table, String source, int length, int scale) {
        this(name, type, table, source, length, scale, InTable.NONE);
    }

    /** Returns a copy with another name. */
    public SqlColumn called(String other) {
        return new SqlColumn(other, type, table, source, length, scale, inTable);
    }
}
