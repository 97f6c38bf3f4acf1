package io.nightjar.pipeline.validate;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.pipeline.primitive.Mix;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The (key, value) pairs of one hash class that were written or read. */
final class WrittenValues {

    /*
     * Open addressing, linear probing, at most two thirds full. A slot is free while its flags are 0; the other columns
     * are valid only in used slots. Times are stored from the first write with a time on.
     */
    static final byte WRITTEN = 1;
    static final byte WRITTEN_TWICE = 2;
    static final byte READ = 4;

    private static final int BYTES_PER_SLOT = 17;
    private static final int BYTES_OF_TIMES = 16;
    private static final int MIN_SLOTS = 1 << 6;

    private final long memoryBytes;
    private int slotLimit;

    int slotCount = MIN_SLOTS;
    int count;
    byte[] flagsOf = new byte[MIN_SLOTS];
    long[] keyOf = new long[MIN_SLOTS];
    long[] valueOf = new long[MIN_SLOTS];

    private @Nullable Times times;

    WrittenValues(long memoryBytes) {
        this.memoryBytes = memoryBytes;
        this.slotLimit = slotLimit(BYTES_PER_SLOT);
    }

    /**
     * Returns the maximum number of slots. Two tables exist while a table grows: one and a half times the larger one.
     */
    private int slotLimit(int bytesPerSlot) {
        return Integer.highestOneBit((int) Math.max(MIN_SLOTS, Math.min(memoryBytes * 2 / 3 / bytesPerSlot, 1 << 30)));
    }

    static long hash(long key, long value) {
        return Mix.hash(key, value);
    }

    /** Returns the slot of a pair, which is free if the pair is new. */
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

    /** Notes when a write was begun, or when a read was over. */
    void record(int slot, long time, boolean isWrite) {
        if (time == HistorySlice.NONE) {
            return;
        }
        Times noted = times;
        if (noted == null) {
            slotLimit = Math.max(slotCount, slotLimit(BYTES_PER_SLOT + BYTES_OF_TIMES));
            noted = new Times(slotCount);
            times = noted;
        }
        if (isWrite) {
            noted.writeBegunOf[slot] = Math.max(noted.writeBegunOf[slot], time);
        } else {
            long known = noted.readOverOf[slot];
            noted.readOverOf[slot] = known == HistorySlice.NONE ? time : Math.min(known, time);
        }
    }

    /**
     * Returns the time from the end of a value's first read to its write; 0 if the read did not end before, or the
     * times are unknown.
     */
    long readTooEarlyBy(int slot) {
        if (times == null || (flagsOf[slot] & (WRITTEN | WRITTEN_TWICE)) != WRITTEN) {
            return 0;
        }
        long begun = times.writeBegunOf[slot];
        long over = times.readOverOf[slot];
        return begun == HistorySlice.NONE || over == HistorySlice.NONE ? 0 : Math.max(0, begun - over);
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
    void keepOnly(HashPasses classes) {
        rebuild(slotCount, classes);
    }

    void clear() {
        slotCount = MIN_SLOTS;
        allocate();
    }

    private void rebuild(int nextSlotCount, @Nullable HashPasses classes) {
        byte[] flags = flagsOf;
        long[] keys = keyOf;
        long[] values = valueOf;
        Times noted = times;
        slotCount = nextSlotCount;
        allocate();
        for (int old = 0; old < flags.length; old++) {
            if (flags[old] != 0 && (classes == null || classes.holdsHash(hash(keys[old], values[old])))) {
                int slot = slotOf(keys[old], values[old]);
                fill(slot, keys[old], values[old], flags[old]);
                if (noted != null && times != null) {
                    times.writeBegunOf[slot] = noted.writeBegunOf[old];
                    times.readOverOf[slot] = noted.readOverOf[old];
                }
            }
        }
    }

    private void allocate() {
        flagsOf = new byte[slotCount];
        keyOf = new long[slotCount];
        valueOf = new long[slotCount];
        times = times == null ? null : new Times(slotCount);
        count = 0;
    }

    /**
     * By the clients' clocks and by slot: invocation of the latest write and completion of the first read; NONE if
     * unknown.
     */
    private static final class Times {

        final long[] writeBegunOf;
        final long[] readOverOf;

        Times(int slotCount) {
            writeBegunOf = new long[slotCount];
            readOverOf = new long[slotCount];
            Arrays.fill(writeBegunOf, HistorySlice.NONE);
            Arrays.fill(readOverOf, HistorySlice.NONE);
        }
    }
}
