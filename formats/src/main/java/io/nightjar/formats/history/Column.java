package io.nightjar.formats.history;

import java.util.EnumSet;
import java.util.Set;

/**
 * A group of columns that a reader fills or leaves out; {@link HistoryColumn#group} says which columns.
 *
 * <p>Transaction id, session, position in the session and status are always read.
 */
public enum Column {
    /** The database's own times. */
    TIMESTAMPS(true, true),
    /** The client's times. */
    CLIENT_TIMES(false, true),
    /** Kind, key, value and elements of every operation. */
    OPERATIONS(true, true),
    /** The version of every operation. */
    VERSIONS(false, true),
    /** The transaction that every operation read from. */
    WRITERS(false, true),
    /** What predicate reads say beyond kind, key and value: condition, parameters, rows and snapshot. */
    PREDICATES(true, true),
    /** The JSON object of everything else that the source said. */
    EXTRA(false, false);

    private final boolean isForTimestamps;
    private final boolean isForValues;

    Column(boolean isForTimestamps, boolean isForValues) {
        this.isForTimestamps = isForTimestamps;
        this.isForValues = isForValues;
    }

    public static Set<Column> all() {
        return EnumSet.allOf(Column.class);
    }

    /** What checks from timestamps need. */
    public static Set<Column> forTimestamps() {
        Set<Column> columns = EnumSet.allOf(Column.class);
        columns.removeIf(column -> !column.isForTimestamps);
        return columns;
    }

    /** What checks from values and versions need. */
    public static Set<Column> forValues() {
        Set<Column> columns = EnumSet.allOf(Column.class);
        columns.removeIf(column -> !column.isForValues);
        return columns;
    }
}
