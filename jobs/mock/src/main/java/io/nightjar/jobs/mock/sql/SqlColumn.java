package io.nightjar.jobs.mock.sql;

import org.jspecify.annotations.Nullable;

/**
 * A column of a result.
 *
 * @param table that it comes from, null if from none
 * @param source its name there
 * @param length of strings, precision of numbers; 0 if without a bound
 * @param scale of numbers
 * @param inTable what it is there
 */
public record SqlColumn(
        String name, SqlType type, @Nullable String table, String source, int length, int scale, InTable inTable) {

    /**
     * What a column is in its table.
     *
     * @param isKey whether it is of its table's primary key
     * @param isIdentity whether its table makes values for it
     * @param tableNumber the engine's number of its table, 0 if it comes from none
     * @param place which of the table's columns it is, from 1; 0 if it is none of them
     */
    public record InTable(boolean isKey, boolean isIdentity, int tableNumber, int place) {

        static final InTable NONE = new InTable(false, false, 0, 0);
    }

    /** Makes a column that is part of no key. */
    public SqlColumn(String name, SqlType type, @Nullable String table, String source, int length, int scale) {
        this(name, type, table, source, length, scale, InTable.NONE);
    }

    /** Returns a copy with another name. */
    public SqlColumn called(String other) {
        return new SqlColumn(other, type, table, source, length, scale, inTable);
    }
}
