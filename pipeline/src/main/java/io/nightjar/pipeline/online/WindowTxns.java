package io.nightjar.pipeline.online;

import io.nightjar.pipeline.primitive.ByteFeed;
import io.nightjar.pipeline.primitive.ByteSink;
import java.util.Arrays;

/** The transactions that rows in memory belong to, by slot; a slot is free again when its last row is gone. */
final class WindowTxns {

    private static final int NONE = -1;

    /*
     *   numbers[WIDTH * slot]   id, start, commit, arrived: next to each other, since who asks for one asks for others
     */
    private static final int WIDTH = 4;

    private long[] numbers = new long[WIDTH * 1024];
    private int[] rowsOf = new int[1024]; // of a free slot the next free one
    private int slotCount;
    private int firstFree = NONE;
    private int inUse;

    /** A slot with one row, which {@link #release} takes from it. */
    int open(long id, long start, long commit, long arrived) {
        int slot = firstFree;
        if (slot == NONE) {
            slot = slotCount++;
            if (slot == rowsOf.length) {
                grow(slot + (slot >> 1));
            }
        } else {
            firstFree = rowsOf[slot];
        }
        int from = slot * WIDTH;
        numbers[from] = id;
        numbers[from + 1] = start;
        numbers[from + 2] = commit;
        numbers[from + 3] = arrived;
        rowsOf[slot] = 1;
        inUse++;
        return slot;
    }

    private void grow(int capacity) {
        numbers = Arrays.copyOf(numbers, WIDTH * capacity);
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
        return 36L * rowsOf.length;
    }

    long id(int slot) {
        return numbers[slot * WIDTH];
    }

    long start(int slot) {
        return numbers[slot * WIDTH + 1];
    }

    long commit(int slot) {
        return numbers[slot * WIDTH + 2];
    }

    long arrived(int slot) {
        return numbers[slot * WIDTH + 3];
    }

    void write(int slot, ByteSink to) {
        to.putSigned(id(slot));
        to.putSigned(commit(slot));
        to.putSigned(commit(slot) - start(slot));
        to.putSigned(arrived(slot));
    }

    /** A slot with one row, as {@link #open} gives it. */
    int read(ByteFeed from) {
        long id = from.getSigned();
        long commit = from.getSigned();
        return open(id, commit - from.getSigned(), commit, from.getSigned());
    }
}
