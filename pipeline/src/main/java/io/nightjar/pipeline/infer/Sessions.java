package io.nightjar.pipeline.infer;

import io.nightjar.pipeline.primitive.CountingSort;
import io.nightjar.pipeline.primitive.LongOrdinals;
import io.nightjar.pipeline.primitive.RadixSort;

/** The transactions of a log session by session, in session order. */
public final class Sessions {

    /*
     * inOrder[firstOf[session] .. firstOf[session + 1]] are the transactions of a session, of any status.
     */

    private final int[] inOrder;
    private final int[] firstOf;

    private Sessions(int[] inOrder, int[] firstOf) {
        this.inOrder = inOrder;
        this.firstOf = firstOf;
    }

    public static Sessions of(OperationLog log) {
        int count = log.txnCount;
        long[] seqs = new long[count];
        System.arraycopy(log.sessionSeq, 0, seqs, 0, count);
        int[] bySeq = new int[count];
        for (int txn = 0; txn < count; txn++) {
            bySeq[txn] = txn;
        }
        RadixSort.sort(seqs, bySeq, count);
        LongOrdinals ordinals = LongOrdinals.ofCapacity(log.txnCount);
        int[] sessionOf = new int[count];
        for (int txn = 0; txn < count; txn++) {
            sessionOf[txn] = ordinals.ordinal(log.sessionId[txn]);
        }
        int[] first = CountingSort.firstOf(sessionOf, ordinals.size());
        int[] next = first.clone();
        int[] inOrder = new int[count];
        for (int i = 0; i < count; i++) {
            inOrder[next[sessionOf[bySeq[i]]]++] = bySeq[i];
        }
        return new Sessions(inOrder, first);
    }

    public int count() {
        return firstOf.length - 1;
    }

    /** Returns the index of a session's first transaction, for {@link #txn}; the session ends at that of the next. */
    public int first(int session) {
        return firstOf[session];
    }

    public int txn(int index) {
        return inOrder[index];
    }
}
