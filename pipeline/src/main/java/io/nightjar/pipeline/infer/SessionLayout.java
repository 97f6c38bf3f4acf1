package io.nightjar.pipeline.infer;

import io.nightjar.pipeline.primitive.CountingSort;
import io.nightjar.pipeline.primitive.LongOrdinals;
import io.nightjar.pipeline.primitive.RadixSort;
import java.util.Arrays;

/** The rows of a history session by session, each session in its order. */
final class SessionLayout {

    final int sessionCount;

    /** Rows; the rows of a session are firstOf[session] .. firstOf[session + 1]. */
    final int[] rows;

    final int[] firstOf;

    SessionLayout(OperationLog log) {
        LongOrdinals sessions = LongOrdinals.ofCapacity(log.txnCount);
        int[] sessionOf = sessionOfRows(log, sessions);
        int count = sessions.size();
        for (int row = 0; row < log.txnCount && log.hasOptional(); row++) {
            sessionOf[row] = log.isOptional(row) ? count++ : sessionOf[row];
        }
        sessionCount = count;
        firstOf = CountingSort.firstOf(sessionOf, sessionCount);
        rows = CountingSort.entries(sessionOf, firstOf);
        for (int session = 0; session < sessionCount; session++) {
            sort(log.sessionSeq, firstOf[session], firstOf[session + 1]);
        }
    }

    private static int[] sessionOfRows(OperationLog log, LongOrdinals sessions) {
        int[] sessionOf = new int[log.txnCount];
        for (int row = 0; row < sessionOf.length; row++) {
            sessionOf[row] = sessions.ordinal(log.sessionId[row]);
        }
        return sessionOf;
    }

    /** Sorts the rows of a session as (seq, row) unless they are in order already. */
    private void sort(long[] seq, int from, int to) {
        boolean inOrder = true;
        for (int i = from + 1; i < to; i++) {
            inOrder &= seq[rows[i - 1]] <= seq[rows[i]];
        }
        if (inOrder) {
            return;
        }
        long[] seqOf = new long[to - from];
        int[] rowOf = Arrays.copyOfRange(rows, from, to);
        for (int i = 0; i < seqOf.length; i++) {
            seqOf[i] = seq[rowOf[i]];
        }
        RadixSort.sort(seqOf, rowOf, rowOf.length);
        System.arraycopy(rowOf, 0, rows, from, rowOf.length);
    }
}
