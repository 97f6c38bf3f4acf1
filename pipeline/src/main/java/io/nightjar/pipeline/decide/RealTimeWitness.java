package io.nightjar.pipeline.decide;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.pipeline.check.CommitOrder;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.ReadInference;
import java.util.Arrays;

/** Looks whether a serial order also keeps real time: who was done before another began comes before it. */
final class RealTimeWitness {

    private RealTimeWitness() {}

    /** Returns whether an order keeps real time; false too if a transaction lacks the times of its client. */
    static boolean keepsRealTime(OperationLog log, ReadInference inference, CommitOrder order) {
        if (log.invokeNs == null || log.completeNs == null) {
            return false;
        }
        int count = inference.history().txnCount;
        int[] txnAt = new int[2 * count];
        Arrays.fill(txnAt, -1);
        for (int txn = 0; txn < count; txn++) {
            txnAt[order.commitOf[txn]] = txn;
        }
        long latestBegin = Long.MIN_VALUE;
        for (int txn : txnAt) {
            if (txn < 0) {
                continue;
            }
            int row = inference.rowOf(txn);
            boolean hasEnd = log.completeNs[row] != HistorySlice.NONE;
            if (log.invokeNs[row] == HistorySlice.NONE || !hasEnd && !inference.isPromoted(row)) {
                return false;
            }
            if (hasEnd && log.completeNs[row] < latestBegin) {
                return false; // a transaction placed before it began only after it ended
            }
            latestBegin = Math.max(latestBegin, log.invokeNs[row]);
        }
        return true;
    }
}
