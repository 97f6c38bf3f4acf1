package io.nightjar.pipeline.partition;

import io.nightjar.pipeline.primitive.Mix;

/** The latest operation on each key of one long transaction; cleared by counting up, not by wiping. */
final class LatestByKey {

    private static final int NONE = -1;

    private long[] keys = new long[256];
    private int[] ops = new int[256];
    private int[] epochOf = new int[256];
    private int epoch;

    /** Removes all entries and allocates slots for the given number of keys. */
    void clear(int keyCount) {
        if (2L * keyCount > keys.length) {
            int capacity = Integer.highestOneBit(keyCount) * 4;
            keys = new long[capacity];
            ops = new int[capacity];
            epochOf = new int[capacity];
            epoch = 0;
        }
        epoch++;
    }

    /** Makes {@code op} the latest on its key and returns the previous one, or NONE. */
    int swap(long key, int op) {
        int mask = keys.length - 1;
        int slot = (int) Mix.hash(key) & mask;
        while (epochOf[slot] == epoch && keys[slot] != key) {
            slot = (slot + 1) & mask;
        }
        int before = epochOf[slot] == epoch ? ops[slot] : NONE;
        epochOf[slot] = epoch;
        keys[slot] = key;
        ops[slot] = op;
        return before;
    }
}
