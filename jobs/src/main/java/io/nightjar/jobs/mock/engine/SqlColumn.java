package io.nightjar.jobs.mock.engine;

/**
 * A column of a result.
 *
 * @param table that it comes from, null if from none
 * @param source its name there
 * @param length of strings, precision of numbers; 0 if without a bound
 * @param scale of numbers
 */
public record SqlColumn(String name, SqlType type, String table, String source, int length, int scale) {

    /** The same under another name. */
    public SqlColumn called(String other) {
        return new SqlColumn(other, type, table, source, length, scale);
    }
}
