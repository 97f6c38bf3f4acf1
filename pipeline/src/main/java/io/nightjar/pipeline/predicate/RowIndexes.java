package io.nightjar.pipeline.predicate;

import static java.util.Objects.requireNonNull;

import io.nightjar.pipeline.primitive.BinarySearch;
import io.nightjar.pipeline.primitive.RadixSort;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The versions of each relation by the values of the columns that conditions bound, and the range of each predicate
 * read.
 */
final class RowIndexes {

    /*
     * Layout.
     *
     *   position  0 .. a column's count    versions with a value in it, in the order of relation and rank
     *
     * Cost. The bounds of a predicate read are a range of positions of one column, computed once however often the read
     * is replayed.
     */

    private static final int UNSEEN = -1;
    private static final int NO_RANGE = -2;

    private final TableHistory history;
    private final TableVersions versions;
    private final Column[]
            columns; // by column, null for columns that no condition bounds, or whose values do not compare
    private final int[] fromOf; // by predicate read, or UNSEEN, or NO_RANGE
    private final int[] toOf;

    /** Versions in the order of a column. */
    static final class Column {
        final int[] slots; // by position
        final int[] positionOf; // by slot, NONE for those without a value
        private final long[] keys; // by position: relation and rank
        private final int @Nullable [][]
                firstOf; // by relation and rank; null if that would be much more than the versions

        private Column(int[] slots, int[] positionOf, long[] keys, int relations, int ranks) {
            this.slots = slots;
            this.positionOf = positionOf;
            this.keys = keys;
            boolean isSmall = (long) relations * (ranks + 1) <= 2L * keys.length;
            int[][] firstOf = isSmall ? new int[relations][ranks + 1] : null;
            this.firstOf = firstOf;
            int position = 0;
            for (int relation = 0; firstOf != null && relation < relations; relation++) {
                for (int rank = 0; rank <= ranks; rank++) {
                    while (position < keys.length && keys[position] < key(relation, rank)) {
                        position++;
                    }
                    firstOf[relation][rank] = position;
                }
            }
        }

        private int first(int relation, int rank) {
            if (firstOf != null) {
                return firstOf[relation][rank];
            }
            long min = key(relation, rank);
            return BinarySearch.first(0, keys.length, position -> keys[position] >= min);
        }
    }

    RowIndexes(TableHistory history, TableVersions versions) {
        this.history = history;
        this.versions = versions;
        this.fromOf = new int[history.predicateReadCount];
        this.toOf = new int[history.predicateReadCount];
        Arrays.fill(fromOf, UNSEEN);
        int max = -1;
        for (int column : history.boundedColumns()) {
            max = Math.max(max, column);
        }
        columns = new Column[max + 1];
        for (int column : history.boundedColumns()) {
            RowRanks ranks = history.ranks(column);
            columns[column] = ranks == null ? null : index(ranks);
        }
    }

    private static long key(int relation, int rank) {
        return (long) relation << 32 | rank;
    }

    private Column index(RowRanks ranks) {
        int[] slots = new int[versions.opOf.length];
        long[] keys = new long[slots.length];
        int count = 0;
        for (int slot = 0; slot < slots.length; slot++) {
            int rank = ranks.rankOf(versions.valueOf(slot));
            if (rank != RowRanks.NO_VALUE) {
                keys[count] = key(history.relationOf(versions.keyOf(slot)), rank);
                slots[count++] = slot;
            }
        }
        RadixSort.sort(keys, slots, count);
        int[] positionOf = new int[versions.opOf.length];
        Arrays.fill(positionOf, TableHistory.NONE);
        for (int position = 0; position < count; position++) {
            positionOf[slots[position]] = position;
        }
        return new Column(
                Arrays.copyOf(slots, count),
                positionOf,
                Arrays.copyOf(keys, count),
                history.relationCount(),
                ranks.count());
    }

    int columnCount() {
        return columns.length;
    }

    /** Returns the versions in the order of a column; null if no condition bounds it. */
    Column column(int column) {
        return columns[column];
    }

    /**
     * Returns whether all that a predicate read may match is a range of positions of the column that its condition
     * bounds.
     */
    boolean hasRange(int op, RowCondition condition, Object[] params) {
        int predicateRead = history.key[op];
        if (fromOf[predicateRead] == UNSEEN) {
            findRange(op, predicateRead, condition, params);
        }
        return fromOf[predicateRead] != NO_RANGE;
    }

    private void findRange(int op, int predicateRead, RowCondition condition, Object[] params) {
        fromOf[predicateRead] = NO_RANGE;
        RowBounds bounds = condition.bounds();
        int relation = history.relationOfPredicateRead(op);
        boolean isIndexed = bounds != null && bounds.column() < columns.length && columns[bounds.column()] != null;
        if (bounds == null || !isIndexed || relation == TableHistory.NONE) {
            return;
        }
        try {
            long range = requireNonNull(history.ranks(bounds.column())).range(bounds, params);
            Column column = columns[bounds.column()];
            fromOf[predicateRead] = column.first(relation, (int) (range >>> 32));
            toOf[predicateRead] = column.first(relation, (int) range);
        } catch (ConditionException fault) {
            fromOf[predicateRead] = NO_RANGE; // an evaluation error occurs again when a row is evaluated
        }
    }

    int from(int op) {
        return fromOf[history.key[op]];
    }

    int to(int op) {
        return toOf[history.key[op]];
    }
}
