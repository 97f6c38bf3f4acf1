package io.nightjar.formats.history;

import java.util.EnumSet;
import java.util.Set;

/**
 * A group of columns that a reader fills or leaves out.
 *
 * <p>Transaction id, session, position in the session and status are always read.
 */
public enum Column {
    /** {@code start_ts} and {@code commit_ts}. */
    TIMESTAMPS,
    /** {@code invoke_ns} and {@code complete_ns}. */
    CLIENT_TIMES,
    /** Kind, key, value and elements of every operation. */
    OPERATIONS,
    /** {@code version} of every operation. */
    VERSIONS,
    /** {@code writer_txn} of every operation. */
    WRITERS,
    /** The JSON object of everything else that the source said. */
    EXTRA;

    public static Set<Column> all() {
        return EnumSet.allOf(Column.class);
    }
}
