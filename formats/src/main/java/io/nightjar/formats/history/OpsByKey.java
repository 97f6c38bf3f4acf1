package io.nightjar.formats.history;

import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.Arrays;
import java.util.function.IntToLongFunction;

/** Index of the operations of one transaction by key. */
public final class OpsByKey {

    private final IntToLongFunction keyOf;
    private final int[] ops; // by key, then in program order

    /**
     * @param firstOp first operation of the transaction
     * @param endOp the operation after its last one
     * @param keyOf the key of an operation
     */
    public OpsByKey(int firstOp, int endOp, IntToLongFunction keyOf) {
        this.keyOf = keyOf;
        ops = new int[endOp - firstOp];
        Arrays.setAll(ops, position -> firstOp + position);
        IntArrays.stableSort(ops, (a, b) -> Long.compare(keyOf.applyAsLong(a), keyOf.applyAsLong(b)));
    }

    /** Returns the operations on a key, in program order. */
    public int[] on(long key) {
        int end = 0;
        int high = ops.length;
        while (end < high) {
            int middle = (end + high) >>> 1;
            if (keyOf.applyAsLong(ops[middle]) <= key) {
                end = middle + 1;
            } else {
                high = middle;
            }
        }
        int first = end;
        while (first > 0 && keyOf.applyAsLong(ops[first - 1]) == key) {
            first--;
        }
        return Arrays.copyOfRange(ops, first, end);
    }
}
