package io.nightjar.pipeline.validate;

import io.nightjar.pipeline.primitive.Mix;

/** Which values of one hash class were written to which key, and which were read: a table of (key, value) pairs. */
final class WrittenValues {

    /*
     * Open addressing, linear probing, at most two thirds full. A slot is free while its flags are 0; the other columns
     * are valid only in slots that are not.
     */
    static final byte WRITTEN = 1;
    static final byte WRITTEN_TWICE = 2;
    static final byte READ = 4;

    private static final int BYTES_PER_SLOT = 17;
    private static final int LEAST_SLOTS = 1 << 6;

    private final int slotLimit;

    int slotCount = LEAST_SLOTS;
    int count;
    byte[] flagsOf = new byte[LEAST_SLOTS];
    long[] keyOf = new long[LEAST_SLOTS];
    long[] valueOf = new long[LEAST_SLOTS];

    WrittenValues(long memoryBytes) {
        // While a table grows there are two: one and a half times the larger one.
        long slots = Math.max(LEAST_SLOTS, Math.min(memoryBytes * 2 / 3 / BYTES_PER_SLOT, 1 << 30));
        this.slotLimit = Integer.highestOneBit((int) slots);
    }

    static long hash(long key, long value) {
        return Mix.hash(key, value);
    }

    /** The slot of a pair, which is free if the pair is new. */
    int slotOf(long key, long value) {
        int mask = slotCount - 1;
        int slot = (int) (hash(key, value) >>> 32) & mask;
        while (flagsOf[slot] != 0 && (valueOf[slot] != value || keyOf[slot] != key)) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    void fill(int slot, long key, long value, byte flags) {
        flagsOf[slot] = flags;
        keyOf[slot] = key;
        valueOf[slot] = value;
        count++;
    }

    boolean isFull() {
        return 3L * count >= 2L * slotCount;
    }

    /** Returns false if it is as large as it may be. */
    boolean grow() {
        if (slotCount >= slotLimit) {
            return false;
        }
        rebuild(2 * slotCount, null);
        return true;
    }

    /** Forgets the pairs that a class does not hold. */
    void keepOnly(HashClasses classes) {
        rebuild(slotCount, classes);
    }

    void clear() {
        slotCount = LEAST_SLOTS;
        allocate();
    }

    private void rebuild(int nextSlotCount, HashClasses classes) {
        byte[] flags = flagsOf;
        long[] keys = keyOf;
        long[] values = valueOf;
        slotCount = nextSlotCount;
        allocate();
        for (int old = 0; old < flags.length; old++) {
            if (flags[old] != 0 && (classes == null || classes.holdsHash(hash(keys[old], values[old])))) {
                fill(slotOf(keys[old], values[old]), keys[old], values[old], flags[old]);
            }
        }
    }

    private void allocate() {
        flagsOf = new byte[slotCount];
        keyOf = new long[slotCount];
        valueOf = new long[slotCount];
        count = 0;
    }
}
