package io.nightjar.pipeline.check.weak;

import io.nightjar.pipeline.infer.ClientHistory;
import java.util.Arrays;

/** Answers whether a transaction writes a key, quickly for transactions that write many. */
final class WriteSets {

    private static final int FEW = 24;

    private final int[] firstWriteOf;

    /** The keys of writes as in the history, but ascending within transactions that write many keys. */
    private final int[] keyOfWrite;

    WriteSets(ClientHistory history) {
        firstWriteOf = history.firstWriteOf;
        int[] sorted = null;
        for (int txn = 0; txn < history.txnCount; txn++) {
            if (firstWriteOf[txn + 1] - firstWriteOf[txn] > FEW) {
                sorted = sorted == null ? Arrays.copyOf(history.keyOfWrite, history.writeCount) : sorted;
                Arrays.sort(sorted, firstWriteOf[txn], firstWriteOf[txn + 1]);
            }
        }
        keyOfWrite = sorted == null ? history.keyOfWrite : sorted;
    }

    boolean writes(int txn, int key) {
        int first = firstWriteOf[txn];
        int end = firstWriteOf[txn + 1];
        if (end - first > FEW) {
            return Arrays.binarySearch(keyOfWrite, first, end, key) >= 0;
        }
        for (int write = first; write < end; write++) {
            if (keyOfWrite[write] == key) {
                return true;
            }
        }
        return false;
    }
}
