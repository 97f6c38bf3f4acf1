package io.nightjar.datasets.generate;

import io.nightjar.formats.history.HistorySlice;
import org.jspecify.annotations.Nullable;

/** A transaction that is running: its operations so far, and its own writes by cell. */
final class OpenTxn {

    /*
     * Own writes are an open-addressed table from cell to one number: the last value written (registers) or the number
     * of elements appended (lists). An entry counts only if its era is the current one, so that nothing has to be
     * cleared between transactions.
     */

    static final long NO_WRITE = Long.MIN_VALUE;

    int session;
    long start;
    long invokeNs;
    boolean isOpen;

    /** Neighbors in the list of open transactions by start; null at the ends. */
    @Nullable
    OpenTxn startedBefore;

    @Nullable
    OpenTxn startedAfter;

    int opCount;
    final byte[] kind;
    final int[] cell;

    /** A value, or the length of a list that was read, own elements included. */
    final long[] value;

    /** The outcome, {@code HistorySlice.NONE} without one. */
    final long[] done;

    /** The old value of a compare-and-set or the result of an increment, {@code HistorySlice.NONE} without one. */
    final long[] old;

    /** The state that an operation leaves, {@link #NO_WRITE} if none. */
    final long[] left;

    /** The elements that a read of a set returned. */
    final long[][] elements;

    private final int mask;
    private final int[] writtenCell;
    private final int[] era;
    private final long[] written;
    private int currentEra;

    OpenTxn(int ops) {
        this.kind = new byte[ops];
        this.cell = new int[ops];
        this.value = new long[ops];
        this.done = new long[ops];
        this.old = new long[ops];
        this.left = new long[ops];
        this.elements = new long[ops][];
        int capacity = Integer.highestOneBit(ops) * 4;
        this.mask = capacity - 1;
        this.writtenCell = new int[capacity];
        this.era = new int[capacity];
        this.written = new long[capacity];
    }

    void open(int ofSession, long at, long invokedNs) {
        session = ofSession;
        start = at;
        invokeNs = invokedNs;
        isOpen = true;
        opCount = 0;
        currentEra++;
    }

    void add(byte opKind, int opCell, long opValue) {
        kind[opCount] = opKind;
        cell[opCount] = opCell;
        value[opCount] = opValue;
        done[opCount] = HistorySlice.NONE;
        old[opCount] = HistorySlice.NONE;
        left[opCount] = NO_WRITE;
        opCount++;
    }

    long ownWrite(int ofCell) {
        int slot = slotOf(ofCell);
        return era[slot] == currentEra ? written[slot] : NO_WRITE;
    }

    void setOwnWrite(int ofCell, long number) {
        int slot = slotOf(ofCell);
        era[slot] = currentEra;
        writtenCell[slot] = ofCell;
        written[slot] = number;
    }

    private int slotOf(int ofCell) {
        int hash = ofCell * 0x9E3779B9;
        int slot = (hash ^ (hash >>> 15)) & mask;
        while (era[slot] == currentEra && writtenCell[slot] != ofCell) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }
}
