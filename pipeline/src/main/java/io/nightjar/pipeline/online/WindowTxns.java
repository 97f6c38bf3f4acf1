package io.nightjar.pipeline.online;

import io.nightjar.pipeline.primitive.ByteFeed;
import io.nightjar.pipeline.primitive.ByteSink;
import java.util.Arrays;

/** The transactions that rows in memory belong to, by slot; a slot is free again when its last row is gone. */
final class WindowTxns {

    private static final int NONE = -1;

    private long[] idOf = new long[1024];
    private long[] startOf = new long[1024];
    private long[] commitOf = new long[1024];
    private long[] arrivedOf = new long[1024];
    private int[] rowsOf = new int[1024]; // of a free slot the next free one
    private int slotCount;
    private int firstFree = NONE;
    private int inUse;

    /** A slot with one row, which {@link #release} takes from it. */
    int open(long id, long start, long commit, long arrived) {
        int slot = firstFree;
        if (slot == NONE) {
            slot = slotCount++;
            if (slot == idOf.length) {
                grow(slot + (slot >> 1));
            }
        } else {
            firstFree = rowsOf[slot];
        }
        idOf[slot] = id;
        startOf[slot] = start;
        commitOf[slot] = commit;
        arrivedOf[slot] = arrived;
        rowsOf[slot] = 1;
        inUse++;
        return slot;
    }

    private void grow(int capacity) {
        idOf = Arrays.copyOf(idOf, capacity);
        startOf = Arrays.copyOf(startOf, capacity);
        commitOf = Arrays.copyOf(commitOf, capacity);
        arrivedOf = Arrays.copyOf(arrivedOf, capacity);
        rowsOf = Arrays.copyOf(rowsOf, capacity);
    }

    void retain(int slot) {
        rowsOf[slot]++;
    }

    void release(int slot) {
        if (--rowsOf[slot] == 0) {
            rowsOf[slot] = firstFree;
            firstFree = slot;
            inUse--;
        }
    }

    /** How many transactions have rows in memory. */
    int inUse() {
        return inUse;
    }

    long byteSize() {
        return 36L * idOf.length;
    }

    long id(int slot) {
        return idOf[slot];
    }

    long start(int slot) {
        return startOf[slot];
    }

    long commit(int slot) {
        return commitOf[slot];
    }

    long arrived(int slot) {
        return arrivedOf[slot];
    }

    void write(int slot, ByteSink to) {
        to.putSigned(idOf[slot]);
        to.putSigned(commitOf[slot]);
        to.putSigned(commitOf[slot] - startOf[slot]);
        to.putSigned(arrivedOf[slot]);
    }

    /** A slot with one row, as {@link #open} gives it. */
    int read(ByteFeed from) {
        long id = from.getSigned();
        long commit = from.getSigned();
        return open(id, commit - from.getSigned(), commit, from.getSigned());
    }
}
