package io.nightjar.pipeline.predicate;

import io.nightjar.formats.history.TxnStatus;
import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.Arrays;

/** The orders in which the transactions of a history of tables are processed. */
final class TransactionOrders {

    private TransactionOrders() {}

    /** Returns the committed transactions by session and position. */
    static int[] bySession(TableHistory history) {
        int[] committed = new int[history.txnCount];
        int count = 0;
        for (int txn = 0; txn < history.txnCount; txn++) {
            if (history.status[txn] == TxnStatus.COMMITTED) {
                committed[count++] = txn;
            }
        }
        int[] order = Arrays.copyOf(committed, count);
        IntArrays.mergeSort(order, (one, other) -> {
            int bySession = Long.compare(history.sessionId[one], history.sessionId[other]);
            return bySession != 0 ? bySession : Long.compare(history.sessionSeq[one], history.sessionSeq[other]);
        });
        return order;
    }

    /** Returns all transactions by commit: at one time writers first, then by start, then by id. */
    static int[] byCommit(TableHistory history, TableVersions versions) {
        int[] order = new int[history.txnCount];
        Arrays.setAll(order, txn -> txn);
        IntArrays.mergeSort(order, (one, other) -> {
            int byTime = Long.compare(versions.commitTs(one), versions.commitTs(other));
            if (byTime != 0) {
                return byTime;
            }
            int byKind = Boolean.compare(versions.writes(other), versions.writes(one));
            int byStart = byKind != 0 ? byKind : Long.compare(history.startTs[one], history.startTs[other]);
            return byStart != 0 ? byStart : Long.compare(history.txnId[one], history.txnId[other]);
        });
        return order;
    }
}
