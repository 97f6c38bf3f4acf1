package io.nightjar.pipeline.verify;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.BitSet;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/** The last write of each key in a transaction. Each transaction is scanned once, however many of its operations are asked about. */
final class LastWrites {

    private final LongOpenHashSet keys = new LongOpenHashSet(0);
    private final BitSet last = new BitSet();
    private @Nullable Object rows;
    private int first = -1;

    /**
     * Returns whether no operation of a transaction behind another one writes its key.
     *
     * @param of whose operations they are: the transaction that was scanned last is remembered by that and its first operation
     * @param end the operation behind its last one
     * @param key the key of an operation
     * @param isWrite whether an operation writes its key
     */
    boolean isLast(Object of, int firstOp, int end, int op, IntToLongFunction key, IntPredicate isWrite) {
        if (rows != of || first != firstOp) {
            rows = of;
            first = firstOp;
            keys.clear();
            last.clear();
            for (int at = end - 1; at >= firstOp; at--) {
                long keyOfOp = key.applyAsLong(at);
                last.set(at - firstOp, !keys.contains(keyOfOp));
                if (isWrite.test(at)) {
                    keys.add(keyOfOp);
                }
            }
        }
        return last.get(op - firstOp);
    }
}
