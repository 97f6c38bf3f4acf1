package io.nightjar.jobs.mock.engine;

import org.jspecify.annotations.Nullable;

/**
 * A column of a result.
 *
 * @param table that it comes from, null if from none
 * @param source its name there
 * @param length of strings, precision of numbers; 0 if without a bound
 * @param scale of numbers
 * @param isKey whether it is of its table's primary key
 * @param isIdentity whether its table makes values for it
 */
public record SqlColumn(
        String name,
        SqlType type,
        @Nullable String table,
        String source,
        int length,
        int scale,
        boolean isKey,
        boolean isIdentity) {

    /** Makes a column that is part of no key. */
    public SqlColumn(String name, SqlType type, String table, String source, int length, int scale) {
        this(name, type, table, source, length, scale, false, false);
    }

    /** Returns a copy with another name. */
    public SqlColumn called(String other) {
        return new SqlColumn(other, type, table, source, length, scale, isKey, isIdentity);
    }
}
