package io.nightjar.pipeline.validate;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.ListRef;
import io.nightjar.formats.history.OpKind;

/** Distribution of operations over transactions, lengths of lists, and number of reads of the initial state. */
public final class OperationSpread {

    /*
     * countOf[n] transactions have n operations; those with more than SIZES share one counter, for which a median is
     * only a lower bound. Such histories do not occur in practice.
     */
    private static final int SIZES = 1 << 16;

    private final long[] countOf = new long[SIZES + 1];
    private long txnCount;
    private long minOps = Long.MAX_VALUE;
    private long maxOps;
    private int maxListLength;
    private long emptyReadCount;

    public void add(HistorySlice slice) {
        for (int txn = 0; txn < slice.txnCount; txn++) {
            int opCount = slice.firstOpOf[txn + 1] - slice.firstOpOf[txn];
            countOf[Math.min(opCount, SIZES)]++;
            minOps = Math.min(minOps, opCount);
            maxOps = Math.max(maxOps, opCount);
        }
        txnCount += slice.txnCount;
        for (int op = 0; op < slice.opCount; op++) {
            if (slice.kind[op] == OpKind.READ_NOTHING) {
                emptyReadCount++;
            } else if (slice.kind[op] == OpKind.READ_LIST) {
                int length = ListRef.length(slice.value[op]);
                maxListLength = Math.max(maxListLength, length);
                emptyReadCount += length == 0 ? 1 : 0;
            }
        }
    }

    public long minOps() {
        return txnCount == 0 ? 0 : minOps;
    }

    public long maxOps() {
        return maxOps;
    }

    /** Returns the lower median of operations a transaction. */
    public long medianOps() {
        long seen = 0;
        for (int size = 0; size <= SIZES; size++) {
            seen += countOf[size];
            if (seen > 0 && 2 * seen >= txnCount) {
                return size;
            }
        }
        return 0;
    }

    /** Returns the number of elements of the longest list that was read. */
    public int maxListLength() {
        return maxListLength;
    }

    /** Returns the number of reads, by whomever, that returned null or an empty list. */
    public long emptyReadCount() {
        return emptyReadCount;
    }
}
