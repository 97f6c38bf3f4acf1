package io.nightjar.pipeline.primitive;

import java.util.Arrays;

/** Distinct pairs, such as (key, value), as dense ints, in the order of first appearance. */
public final class PairOrdinals {

    /*
     * slots[hash(first, second) + i] = ordinal + 1      0 where free; linear probing, at most half full
     * firstOf[ordinal], secondOf[ordinal]               pair of the ordinal
     */

    /** The ordinal of a pair that was never seen. */
    public static final int NONE = -1;

    private int[] slots;
    private int[] firstOf;
    private long[] secondOf;
    private int count;

    /** @param expected about how many pairs there will be */
    public PairOrdinals(int expected) {
        int capacity = Math.max(16, expected);
        slots = new int[Integer.highestOneBit(capacity) * 4];
        firstOf = new int[capacity];
        secondOf = new long[capacity];
    }

    public int size() {
        return count;
    }

    public int first(int ordinal) {
        return firstOf[ordinal];
    }

    public long second(int ordinal) {
        return secondOf[ordinal];
    }

    /** Returns the ordinal of a pair, or {@link #NONE} if it was never seen. */
    public int find(int first, long second) {
        return slots[slotOf(first, second)] - 1;
    }

    /** Returns the ordinal of a pair, a new one if it was never seen. */
    public int ordinal(int first, long second) {
        int slot = slotOf(first, second);
        if (slots[slot] != 0) {
            return slots[slot] - 1;
        }
        if (count == firstOf.length) {
            int capacity = count + (count >> 1);
            firstOf = Arrays.copyOf(firstOf, capacity);
            secondOf = Arrays.copyOf(secondOf, capacity);
        }
        firstOf[count] = first;
        secondOf[count] = second;
        slots[slot] = ++count;
        if (2L * count > slots.length) {
            rehash();
        }
        return count - 1;
    }

    private int slotOf(int first, long second) {
        int mask = slots.length - 1;
        int slot = (int) Mix.hash(first, second) & mask;
        while (slots[slot] != 0 && (secondOf[slots[slot] - 1] != second || firstOf[slots[slot] - 1] != first)) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void rehash() {
        if (slots.length == 1 << 30) {
            throw new IllegalStateException("too many distinct pairs: count=" + count);
        }
        slots = new int[slots.length * 2];
        for (int ordinal = 0; ordinal < count; ordinal++) {
            slots[slotOf(firstOf[ordinal], secondOf[ordinal])] = ordinal + 1;
        }
    }
}
