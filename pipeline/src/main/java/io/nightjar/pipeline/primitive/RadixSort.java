package io.nightjar.pipeline.primitive;

import java.util.Arrays;

/** Stable sort of longs with an int payload, by least significant digits; cost grows with the span of the longs. */
public final class RadixSort {

    private static final int DIGIT_BITS = 11;
    private static final int BUCKETS = 1 << DIGIT_BITS;

    /** Up to how many are sorted before the buckets would be cleared. */
    private static final int FEW = 48;

    /** Maximum steps per key for insertion sort, which sorts nearly sorted input faster and without buckets. */
    private static final int STEPS_OF_NEARLY_SORTED = 4;

    private RadixSort() {}

    /** Sorts the first {@code count} keys ascending, as signed numbers, and moves {@code payload} with them. */
    public static void sort(long[] keys, int[] payload, int count) {
        if (count < 2 || isSorted(keys, count)) {
            return;
        }
        long steps = count <= FEW ? Long.MAX_VALUE : (long) STEPS_OF_NEARLY_SORTED * count;
        if (insert(keys, payload, count, steps)) {
            return;
        }
        long min = Long.MAX_VALUE;
        long max = Long.MIN_VALUE;
        for (int i = 0; i < count; i++) {
            min = Math.min(min, keys[i]);
            max = Math.max(max, keys[i]);
        }
        long span = max - min; // as an unsigned number
        int digits = (64 - Long.numberOfLeadingZeros(span) + DIGIT_BITS - 1) / DIGIT_BITS;
        long[] fromKeys = keys;
        int[] fromPayload = payload;
        long[] toKeys = new long[count];
        int[] toPayload = new int[count];
        int[] next = new int[BUCKETS];
        for (int digit = 0; digit < digits; digit++) {
            pass(fromKeys, fromPayload, toKeys, toPayload, count, min, digit * DIGIT_BITS, next);
            long[] swapKeys = fromKeys;
            fromKeys = toKeys;
            toKeys = swapKeys;
            int[] swapPayload = fromPayload;
            fromPayload = toPayload;
            toPayload = swapPayload;
        }
        if (fromKeys != keys) {
            System.arraycopy(fromKeys, 0, keys, 0, count);
            System.arraycopy(fromPayload, 0, payload, 0, count);
        }
    }

    /**
     * Returns false if the given number of steps is not enough; the prefix sorted so far remains so, equal keys in
     * their order.
     */
    private static boolean insert(long[] keys, int[] payload, int count, long steps) {
        long left = steps;
        for (int i = 1; i < count && left >= 0; i++) {
            long key = keys[i];
            int moved = payload[i];
            int at = i;
            for (; at > 0 && keys[at - 1] > key; at--) {
                keys[at] = keys[at - 1];
                payload[at] = payload[at - 1];
            }
            keys[at] = key;
            payload[at] = moved;
            left -= i - at;
        }
        return left >= 0;
    }

    private static boolean isSorted(long[] keys, int count) {
        for (int i = 1; i < count; i++) {
            if (keys[i - 1] > keys[i]) {
                return false;
            }
        }
        return true;
    }

    private static void pass(
            long[] fromKeys,
            int[] fromPayload,
            long[] toKeys,
            int[] toPayload,
            int count,
            long min,
            int shift,
            int[] next) {
        Arrays.fill(next, 0);
        for (int i = 0; i < count; i++) {
            next[(int) ((fromKeys[i] - min) >>> shift) & (BUCKETS - 1)]++;
        }
        int first = 0;
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            int size = next[bucket];
            next[bucket] = first;
            first += size;
        }
        for (int i = 0; i < count; i++) {
            int to = next[(int) ((fromKeys[i] - min) >>> shift) & (BUCKETS - 1)]++;
            toKeys[to] = fromKeys[i];
            toPayload[to] = fromPayload[i];
        }
    }
}
