package io.nightjar.pipeline.primitive;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Distinct longs as dense ints, in the order of first appearance. */
public final class LongOrdinals {

    /*
     * Two tables, used one after the other. While all longs are in a narrow range near zero, a plain array indexed by
     * the long itself:
     *
     *   direct[value] = ordinal + 1                      0 where the value has not been seen
     *
     * and from the first long outside that range on, open addressing:
     *
     *   slots[hash(value) + i] = ordinal + 1             linear probing, at most half full
     *
     * names[ordinal] is the long of an ordinal.
     */

    private static final int DIRECT_LIMIT = 1 << 22;
    private static final int SEEN_NOTHING = 0;

    private static final int FEW = 1 << 12;

    /** The ordinal of a long that was never seen. */
    public static final int NONE = -1;

    private int @Nullable [] direct;
    private int[] slots = {};
    private long[] names;
    private int count;

    public LongOrdinals() {
        direct = new int[1 << 10];
        names = new long[1 << 10];
    }

    private LongOrdinals(int few) {
        names = new long[Math.max(4, few)];
        rehash(Integer.highestOneBit(Math.max(2, few)) * 4);
    }

    /** Creates a table for at most the given number of longs: few scattered longs require little memory. */
    public static LongOrdinals ofCapacity(int maxCount) {
        return maxCount < FEW ? new LongOrdinals(maxCount) : new LongOrdinals();
    }

    public int size() {
        return count;
    }

    /** Bytes held, for memory accounting. */
    public long byteSize() {
        return 8L * names.length + 4L * (direct != null ? direct.length : slots.length);
    }

    public long name(int ordinal) {
        return names[ordinal];
    }

    /** Returns the ordinal of a long, a new one if it was never seen. */
    public int ordinal(long value) {
        if (direct != null) {
            if (value >= 0 && value < direct.length) {
                int seen = direct[(int) value];
                return seen != SEEN_NOTHING ? seen - 1 : (direct[(int) value] = add(value)) - 1;
            }
            if (value >= 0 && value < DIRECT_LIMIT && value < 256L * (count + 4096)) {
                direct = Arrays.copyOf(direct, (int) Math.min(DIRECT_LIMIT, Math.max(2L * direct.length, value + 1)));
                return (direct[(int) value] = add(value)) - 1;
            }
            leaveDirectIndex();
        }
        int mask = slots.length - 1;
        int slot = (int) Mix.hash(value) & mask;
        while (slots[slot] != SEEN_NOTHING) {
            if (names[slots[slot] - 1] == value) {
                return slots[slot] - 1;
            }
            slot = (slot + 1) & mask;
        }
        int ordinal = add(value);
        slots[slot] = ordinal;
        if (2L * count > slots.length) {
            rehash(slots.length * 2);
        }
        return ordinal - 1;
    }

    /** Returns the ordinal of a long, or {@link #NONE} if it was never seen. */
    public int find(long value) {
        if (direct != null) {
            return value >= 0 && value < direct.length ? direct[(int) value] - 1 : NONE;
        }
        int mask = slots.length - 1;
        int slot = (int) Mix.hash(value) & mask;
        while (slots[slot] != SEEN_NOTHING) {
            if (names[slots[slot] - 1] == value) {
                return slots[slot] - 1;
            }
            slot = (slot + 1) & mask;
        }
        return NONE;
    }

    /** Returns the new ordinal plus one. */
    private int add(long value) {
        if (count == names.length) {
            names = Arrays.copyOf(names, count + (count >> 1));
        }
        names[count++] = value;
        return count;
    }

    private void leaveDirectIndex() {
        direct = null;
        rehash(Math.max(1 << 11, Integer.highestOneBit(Math.max(1, count)) * 4));
    }

    private void rehash(int capacity) {
        if (capacity < 0) {
            throw new IllegalStateException("too many distinct numbers: count=" + count);
        }
        slots = new int[capacity];
        int mask = capacity - 1;
        for (int ordinal = 0; ordinal < count; ordinal++) {
            int slot = (int) Mix.hash(names[ordinal]) & mask;
            while (slots[slot] != SEEN_NOTHING) {
                slot = (slot + 1) & mask;
            }
            slots[slot] = ordinal + 1;
        }
    }
}
