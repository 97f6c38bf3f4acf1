package io.nightjar.formats.history;

import java.io.Serializable;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Digest of one reading of a split: counts, and a hash of each group of columns that was read.
 *
 * @param txnCount transactions
 * @param badRowCount malformed rows
 * @param opCount operations; 0 if they were not read
 * @param heads the hash of ids, sessions, positions and statuses
 * @param columns the groups of columns that were read and hashed
 * @param hashOf their hashes by {@link ColumnGroup#ordinal}
 */
public record SplitDigest(
        long txnCount, long badRowCount, long opCount, long heads, Set<ColumnGroup> columns, long[] hashOf)
        implements Serializable {

    /**
     * Returns the difference of a later reading of the same split, as {@code name=value} pairs; null if they are equal.
     */
    public @Nullable String differenceTo(SplitDigest later) {
        if (badRowCount != later.badRowCount) {
            // The set of bad rows depends on the columns that are read; the number of rows does not.
            return rowCount() == later.rowCount() ? null : pair("rows", rowCount(), later.rowCount());
        }
        if (txnCount != later.txnCount) {
            return pair("rows", rowCount(), later.rowCount());
        }
        if (heads != later.heads) {
            return "rows=" + txnCount + " changed=ids";
        }
        EnumSet<ColumnGroup> both = EnumSet.noneOf(ColumnGroup.class);
        both.addAll(columns);
        both.retainAll(later.columns);
        if (both.contains(ColumnGroup.OPERATIONS) && opCount != later.opCount) {
            return pair("operations", opCount, later.opCount);
        }
        StringJoiner changed = new StringJoiner(",");
        for (ColumnGroup column : both) {
            if (hashOf[column.ordinal()] != later.hashOf[column.ordinal()]) {
                changed.add(column.name().toLowerCase(Locale.ROOT));
            }
        }
        return changed.length() == 0 ? null : "rows=" + txnCount + " changed=" + changed;
    }

    private long rowCount() {
        return txnCount + badRowCount;
    }

    private static String pair(String what, long before, long now) {
        return what + "Before=" + before + " " + what + "Now=" + now;
    }
}
