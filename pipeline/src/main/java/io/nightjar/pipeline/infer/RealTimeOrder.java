package io.nightjar.pipeline.infer;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.TxnStatus;

/** Times at which transactions began and ended for their clients. */
public final class RealTimeOrder {

    private RealTimeOrder() {}

    /** Returns whether it is known when a transaction began. */
    public static boolean hasBeginning(OperationLog log, int txn) {
        return log.invokeNs != null && log.invokeNs[txn] != HistorySlice.NONE && isForward(log, txn);
    }

    /** Returns whether it is known when a transaction had ended; never where its outcome is unknown. */
    public static boolean hasEnd(OperationLog log, int txn) {
        return log.completeNs != null
                && log.completeNs[txn] != HistorySlice.NONE
                && log.status[txn] == TxnStatus.COMMITTED
                && isForward(log, txn);
    }

    private static boolean isForward(OperationLog log, int txn) {
        return log.invokeNs == null
                || log.completeNs == null
                || log.completeNs[txn] == HistorySlice.NONE
                || log.invokeNs[txn] == HistorySlice.NONE
                || log.invokeNs[txn] <= log.completeNs[txn];
    }
}
