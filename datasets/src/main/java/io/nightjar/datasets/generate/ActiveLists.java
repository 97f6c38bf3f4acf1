package io.nightjar.datasets.generate;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;

/**
 * The current list of each drawn key, and the elements of every list in use.
 *
 * <p>A list that has received all its appends retires when another append is due, which goes to a new key, an empty
 * list.
 */
final class ActiveLists {

    /*
     *   drawn key  --cellOf-->  cell  --keyOf-->  key in the history: drawn key + generation * keys
     *
     * A retired cell is used again for another key when every transaction that was open at its retirement has ended.
     * Its elements are not overwritten but remain for the transactions that still refer to them.
     */

    private static final int NO_CELL = -1;

    private final int appendsPerKey;
    private final int keys;
    private final int[] cellOf;
    private final int[] appendsOf;
    private long[] keyOf;
    private long[][] elementsOf;
    private int cellCount;
    private final Queue<Retired> retired = new ArrayDeque<>();

    private record Retired(int cell, long at) {}

    ActiveLists(int keys, int appendsPerKey) {
        this.keys = keys;
        this.appendsPerKey = appendsPerKey;
        this.cellOf = new int[keys];
        this.appendsOf = new int[keys];
        this.keyOf = new long[keys];
        this.elementsOf = new long[keys][];
        this.cellCount = keys;
        for (int key = 0; key < keys; key++) {
            cellOf[key] = key;
            keyOf[key] = key;
        }
    }

    int cellOf(int drawnKey) {
        return cellOf[drawnKey];
    }

    long keyOf(int cell) {
        return keyOf[cell];
    }

    /** Returns the array that begins with the cell's committed elements. */
    long[] elementsOf(int cell) {
        return elementsOf[cell];
    }

    /** Returns whether the list accepts no further append. */
    boolean isFull(int drawnKey) {
        return appendsOf[drawnKey] >= appendsPerKey;
    }

    /** Counts an append that was issued, whether its transaction commits or not. */
    void countAppend(int drawnKey) {
        appendsOf[drawnKey]++;
    }

    /**
     * Assigns a new list to a drawn key.
     *
     * @return the cell of the new list, which must be reset; it may be one that did not exist before
     */
    int renew(int drawnKey, long clock, long oldestStart) {
        int old = cellOf[drawnKey];
        retired.add(new Retired(old, clock));
        int cell = takeRetired(oldestStart);
        if (cell == NO_CELL) {
            cell = addCell();
        }
        cellOf[drawnKey] = cell;
        appendsOf[drawnKey] = 0;
        keyOf[cell] = Math.addExact(keyOf[old], keys);
        elementsOf[cell] = null;
        return cell;
    }

    void append(int cell, int length, long element) {
        long[] elements = elementsOf[cell];
        if (elements == null) {
            elements = new long[Math.min(4, appendsPerKey)];
            elementsOf[cell] = elements;
        } else if (length == elements.length) {
            elements = Arrays.copyOf(elements, Math.min(2 * length, appendsPerKey));
            elementsOf[cell] = elements;
        }
        elements[length] = element;
    }

    private int takeRetired(long oldestStart) {
        Retired first = retired.peek();
        return first != null && first.at < oldestStart ? retired.remove().cell : NO_CELL;
    }

    private int addCell() {
        if (cellCount == keyOf.length) {
            int capacity = Math.addExact(cellCount, Math.max(16, cellCount / 2));
            keyOf = Arrays.copyOf(keyOf, capacity);
            elementsOf = Arrays.copyOf(elementsOf, capacity);
        }
        return cellCount++;
    }
}
