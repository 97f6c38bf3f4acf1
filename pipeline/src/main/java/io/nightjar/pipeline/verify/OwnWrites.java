package io.nightjar.pipeline.verify;

import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.BitSet;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/** Writes of each key in one transaction. A transaction is scanned once, however many of its operations are queried. */
final class OwnWrites {

    static final int NONE = -1;

    private static final int SMALL_MAP = 64; // keys; clearing a table costs its size, also after a small transaction

    private final Long2IntOpenHashMap nearestWriteOf = new Long2IntOpenHashMap(0); // by key
    private final BitSet last = new BitSet(); // index: operation of the transaction
    private int[] previous = {}; // index: operation of the transaction
    private @Nullable Object rows;
    private int first = NONE;

    OwnWrites() {
        nearestWriteOf.defaultReturnValue(NONE);
    }

    /**
     * Returns whether no later operation of the transaction writes the key of an operation.
     *
     * @param of owner of the operations: the last scanned transaction is recognized by its owner and its first
     * operation
     * @param end exclusive end of the transaction's operations
     * @param key the key of an operation
     * @param isWrite whether an operation writes its key
     */
    boolean isLast(Object of, int firstOp, int end, int op, IntToLongFunction key, IntPredicate isWrite) {
        scanOnce(of, firstOp, end, key, isWrite);
        return last.get(op - firstOp);
    }

    /** Returns the nearest operation before another one that writes its key, or {@link #NONE}; parameters as above. */
    int previous(Object of, int firstOp, int end, int op, IntToLongFunction key, IntPredicate isWrite) {
        scanOnce(of, firstOp, end, key, isWrite);
        return previous[op - firstOp];
    }

    private void scanOnce(Object of, int firstOp, int end, IntToLongFunction key, IntPredicate isWrite) {
        if (rows == of && first == firstOp) {
            return;
        }
        rows = of;
        first = firstOp;
        last.clear();
        if (previous.length < end - firstOp) {
            previous = new int[Math.max(end - firstOp, 2 * previous.length)];
        }
        for (int op = firstOp; op < end; op++) {
            previous[op - firstOp] = nearestWriteOf.get(key.applyAsLong(op));
            if (isWrite.test(op)) {
                nearestWriteOf.put(key.applyAsLong(op), op);
            }
        }
        clearMap();
        for (int op = end - 1; op >= firstOp; op--) {
            last.set(op - firstOp, !nearestWriteOf.containsKey(key.applyAsLong(op)));
            if (isWrite.test(op)) {
                nearestWriteOf.put(key.applyAsLong(op), op);
            }
        }
        clearMap();
    }

    private void clearMap() {
        nearestWriteOf.clear();
        nearestWriteOf.trim(SMALL_MAP);
    }
}
