package io.nightjar.formats.history;

import java.util.EnumSet;
import java.util.Set;

/**
 * A group of columns that a reader loads or omits; {@link HistoryColumn#group} assigns columns to groups.
 *
 * <p>Transaction id, session, position in the session and status are always read.
 */
public enum ColumnGroup {
    /** The database's timestamps. */
    TIMESTAMPS(true, true),
    /** The client's times. */
    CLIENT_TIMES(false, true),
    /** Kind, key, value and elements of every operation. */
    OPERATIONS(true, true),
    /** The version of every operation. */
    VERSIONS(false, true),
    /** The transaction whose version each operation read. */
    WRITERS(false, true),
    /** Data of predicate reads beyond kind, key and value: condition, parameters, rows and snapshot. */
    PREDICATES(true, true),
    /** The JSON object of all other members of the source. */
    EXTRA(false, false);

    private final boolean isForTimestamps;
    private final boolean isForValues;

    ColumnGroup(boolean isForTimestamps, boolean isForValues) {
        this.isForTimestamps = isForTimestamps;
        this.isForValues = isForValues;
    }

    public static Set<ColumnGroup> all() {
        return EnumSet.allOf(ColumnGroup.class);
    }

    /** Returns the groups required by checks from timestamps. */
    public static Set<ColumnGroup> forTimestamps() {
        Set<ColumnGroup> columns = EnumSet.allOf(ColumnGroup.class);
        columns.removeIf(column -> !column.isForTimestamps);
        return columns;
    }

    /** Returns the groups required by checks from values and versions. */
    public static Set<ColumnGroup> forValues() {
        Set<ColumnGroup> columns = EnumSet.allOf(ColumnGroup.class);
        columns.removeIf(column -> !column.isForValues);
        return columns;
    }
}
