package io.nightjar.pipeline.infer;

import io.nightjar.pipeline.primitive.LongOrdinals;
import io.nightjar.pipeline.primitive.RadixSort;
import java.util.Arrays;

/** The rows of a history session by session, each session in its order. */
final class SessionLayout {

    final int sessionCount;

    /** Rows; those of a session stand at firstOf[session] .. firstOf[session + 1]. */
    final int[] rows;

    final int[] firstOf;

    SessionLayout(OperationLog log) {
        LongOrdinals sessions = LongOrdinals.ofAtMost(log.txnCount);
        int[] sessionOf = sessionOfRows(log, sessions);
        sessionCount = sessions.size();
        firstOf = firstOf(sessionOf, sessionCount);
        rows = bySession(sessionOf, firstOf);
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

    private static int[] firstOf(int[] sessionOf, int sessionCount) {
        int[] firstOf = new int[sessionCount + 1];
        for (int session : sessionOf) {
            firstOf[session + 1]++;
        }
        for (int session = 0; session < sessionCount; session++) {
            firstOf[session + 1] += firstOf[session];
        }
        return firstOf;
    }

    private static int[] bySession(int[] sessionOf, int[] firstOf) {
        int[] next = Arrays.copyOf(firstOf, firstOf.length - 1);
        int[] rows = new int[sessionOf.length];
        for (int row = 0; row < rows.length; row++) {
            rows[next[sessionOf[row]]++] = row;
        }
        return rows;
    }

    /** Rows usually come in order already; those that do not are sorted as (seq, row). */
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
