package io.nightjar.pipeline.predicate;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntConsumer;

/** The current version of each row while a history is replayed, found by key, or by a range of a column's values. */
final class CurrentRows {

    private final RowIndexes indexes;
    private final int[] slotOf; // by key
    private final BitSet[] currentOf; // by column, the positions of current versions; null if not indexed

    CurrentRows(TableHistory history, TableVersions versions) {
        this.indexes = versions.indexes();
        this.slotOf = new int[history.keyCount()];
        Arrays.fill(slotOf, TableVersions.UNBORN);
        this.currentOf = new BitSet[indexes.columnCount()];
        for (int column = 0; column < currentOf.length; column++) {
            RowIndexes.Column index = indexes.column(column);
            currentOf[column] = index == null ? null : new BitSet(index.slots.length);
        }
    }

    /** Returns the current version of a key. */
    int of(int key) {
        return slotOf[key];
    }

    /** Makes a version the current one of its key. */
    void set(int key, int slot) {
        for (int column = 0; column < currentOf.length; column++) {
            BitSet current = currentOf[column];
            if (current == null) {
                continue;
            }
            int[] positionOf = indexes.column(column).positionOf;
            int before = slotOf[key] < 0 ? TableHistory.NONE : positionOf[slotOf[key]];
            if (before >= 0) {
                current.clear(before);
            }
            int now = slot < 0 ? TableHistory.NONE : positionOf[slot];
            if (now >= 0) {
                current.set(now);
            }
        }
        slotOf[key] = slot;
    }

    /** Shows the current versions in a range of positions of a column. */
    void forEach(int column, int from, int to, IntConsumer show) {
        BitSet current = currentOf[column];
        int[] slots = indexes.column(column).slots;
        for (int position = current.nextSetBit(from);
                position >= 0 && position < to;
                position = current.nextSetBit(position + 1)) {
            show.accept(slots[position]);
        }
    }
}
