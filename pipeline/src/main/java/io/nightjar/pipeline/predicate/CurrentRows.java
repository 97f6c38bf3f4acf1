package io.nightjar.pipeline.predicate;

import io.nightjar.pipeline.primitive.RadixSort;
import java.util.Arrays;

/** The current version of each row while a history is replayed, found by key, or by a range of a column's values. */
final class CurrentRows {

    /*
     * For each column that conditions bound, the versions that have a value in it stand in the order of relation and rank;
     * a bit for each says whether it is current. So a range costs its matches.
     */

    private final TableHistory history;
    private final TableVersions versions;
    private final int[] slotOf; // by key
    private final Column[] columns; // by column, null for those that no condition bounds

    private static final class Column {
        private long[] places; // relation and rank, ascending
        private int[] slots; // by place
        private int[] placeOf; // by slot, NONE for those without a value
        private SlotBits current;
    }

    CurrentRows(TableHistory history, TableVersions versions) {
        this.history = history;
        this.versions = versions;
        this.slotOf = new int[history.keyCount()];
        Arrays.fill(slotOf, TableVersions.UNBORN);
        int most = -1;
        for (int column : history.boundedColumns()) {
            most = Math.max(most, column);
        }
        columns = new Column[most + 1];
        for (int column : history.boundedColumns()) {
            RowRanks ranks = history.ranks(column);
            columns[column] = ranks == null ? null : index(ranks);
        }
    }

    private Column index(RowRanks ranks) {
        int slots = versions.opOf.length;
        Column index = new Column();
        index.placeOf = new int[slots];
        Arrays.fill(index.placeOf, TableHistory.NONE);
        long[] places = new long[slots];
        int[] order = new int[slots];
        int count = 0;
        for (int slot = 0; slot < slots; slot++) {
            int rank = ranks.rankOf(versions.valueOf(slot));
            if (rank != RowRanks.NO_VALUE) {
                places[count] = place(history.relationOf(versions.keyOf(slot)), rank);
                order[count++] = slot;
            }
        }
        RadixSort.sort(places, order, count);
        index.places = Arrays.copyOf(places, count);
        index.slots = Arrays.copyOf(order, count);
        for (int at = 0; at < count; at++) {
            index.placeOf[order[at]] = at;
        }
        index.current = new SlotBits(count);
        return index;
    }

    private static long place(int relation, int rank) {
        return (long) relation << 32 | rank;
    }

    /** The current version of a key. */
    int of(int key) {
        return slotOf[key];
    }

    /** Makes a version the current one of its key. */
    void set(int key, int slot) {
        for (Column index : columns) {
            if (index == null) {
                continue;
            }
            int before = slotOf[key] < 0 ? TableHistory.NONE : index.placeOf[slotOf[key]];
            if (before >= 0) {
                index.current.remove(before);
            }
            int now = slot < 0 ? TableHistory.NONE : index.placeOf[slot];
            if (now >= 0) {
                index.current.add(now);
            }
        }
        slotOf[key] = slot;
    }

    /** Told of a current version. */
    @FunctionalInterface
    interface Rows {
        void accept(int slot);
    }

    /** Whether ranges of a column can be asked for. */
    boolean hasColumn(int column) {
        return column >= 0 && column < columns.length && columns[column] != null;
    }

    /** Shows the current versions of a relation, or of all, in a range of ranks of a column. */
    void forEach(int relation, int column, int fromRank, int toRank, Rows to) {
        int from = relation == TableHistory.NONE ? 0 : relation;
        int behind = relation == TableHistory.NONE ? history.relationCount() : relation + 1;
        Column index = columns[column];
        for (int each = from; each < behind; each++) {
            int at = first(index.places, place(each, fromRank));
            int end = first(index.places, place(each, toRank));
            for (int next = index.current.next(at); next >= 0 && next < end; next = index.current.next(next + 1)) {
                to.accept(index.slots[next]);
            }
        }
    }

    private static int first(long[] places, long least) {
        int found = Arrays.binarySearch(places, least);
        if (found < 0) {
            return -found - 1;
        }
        while (found > 0 && places[found - 1] == least) {
            found--;
        }
        return found;
    }
}
