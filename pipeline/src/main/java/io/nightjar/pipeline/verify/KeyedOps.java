package io.nightjar.pipeline.verify;

import java.util.Arrays;

/** Operations of one slice on keys of findings, grouped by key, so that a slice costs one lookup per key. */
final class KeyedOps {

    private static final int DIGIT_BITS = 11;
    private static final int DIGITS = 1 << DIGIT_BITS;

    private int[] opOf = new int[256]; // by position
    private int[] txnOf = new int[256];
    private int[] keyOf = new int[256]; // ordinals
    private int count;

    // scratch of sorting
    private int[] otherOps = new int[0];
    private int[] otherTxns = new int[0];
    private int[] otherKeys = new int[0];
    private final int[] positionOf = new int[DIGITS + 1]; // by digit

    void clear() {
        count = 0;
    }

    boolean isEmpty() {
        return count == 0;
    }

    int count() {
        return count;
    }

    void add(int op, int txn, int key) {
        if (count == opOf.length) {
            opOf = Arrays.copyOf(opOf, 2 * count);
            txnOf = Arrays.copyOf(txnOf, 2 * count);
            keyOf = Arrays.copyOf(keyOf, 2 * count);
        }
        opOf[count] = op;
        txnOf[count] = txn;
        keyOf[count++] = key;
    }

    int op(int position) {
        return opOf[position];
    }

    int txn(int position) {
        return txnOf[position];
    }

    int key(int position) {
        return keyOf[position];
    }

    /** Returns where the operations on the key of a position end. */
    int endOfKey(int from) {
        int end = from + 1;
        while (end < count && keyOf[end] == keyOf[from]) {
            end++;
        }
        return end;
    }

    /** Returns where the operations of its transaction on that key end. */
    int endOfTxn(int from, int endOfKey) {
        int end = from + 1;
        while (end < endOfKey && txnOf[end] == txnOf[from]) {
            end++;
        }
        return end;
    }

    /** Sorts by keys below a bound; operations on one key stay in the order of the rows. */
    void sort(int keyCount) {
        for (int shift = 0; shift < Integer.SIZE && (shift == 0 || keyCount - 1 >>> shift != 0); shift += DIGIT_BITS) {
            sortByDigit(shift);
        }
    }

    private void sortByDigit(int shift) {
        if (otherOps.length < opOf.length) {
            otherOps = new int[opOf.length];
            otherTxns = new int[opOf.length];
            otherKeys = new int[opOf.length];
        }
        Arrays.fill(positionOf, 0);
        for (int position = 0; position < count; position++) {
            positionOf[(keyOf[position] >>> shift & DIGITS - 1) + 1]++;
        }
        for (int digit = 0; digit < DIGITS; digit++) {
            positionOf[digit + 1] += positionOf[digit];
        }
        for (int position = 0; position < count; position++) {
            int to = positionOf[keyOf[position] >>> shift & DIGITS - 1]++;
            otherOps[to] = opOf[position];
            otherTxns[to] = txnOf[position];
            otherKeys[to] = keyOf[position];
        }
        int[] ops = opOf;
        int[] txns = txnOf;
        int[] keys = keyOf;
        opOf = otherOps;
        txnOf = otherTxns;
        keyOf = otherKeys;
        otherOps = ops;
        otherTxns = txns;
        otherKeys = keys;
    }
}
