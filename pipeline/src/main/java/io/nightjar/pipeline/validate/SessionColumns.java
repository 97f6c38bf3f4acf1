package io.nightjar.pipeline.validate;

import io.nightjar.formats.history.HistorySlice;
import java.util.Arrays;

/** Data that {@link SessionRules} stores per session, as columns by a dense ordinal. */
final class SessionColumns extends IdColumns {

    /** Upper bound of the bytes per session, including slots and spare capacity. */
    static final int BYTES_PER_SESSION = 140;

    private static final int MIN_CAPACITY = 16;

    long[] minSeqOf = new long[MIN_CAPACITY];
    long[] maxSeqOf = new long[MIN_CAPACITY];
    long[] rowCountOf = new long[MIN_CAPACITY];

    /** Number of the first row, if provided by the caller. */
    long[] firstRowOf = new long[MIN_CAPACITY];

    /** Commit timestamp of the last committed transaction, or NONE. */
    long[] lastCommitOf = new long[MIN_CAPACITY];

    /** When the client learned of the last transaction's end, or NONE. */
    long[] lastCompleteOf = new long[MIN_CAPACITY];

    int[] lateRowCountOf = new int[MIN_CAPACITY];
    int[] earlyStartCountOf = new int[MIN_CAPACITY];
    int[] overlapCountOf = new int[MIN_CAPACITY];

    /** Whether two rows may have one position. */
    boolean[] isSuspect = new boolean[MIN_CAPACITY];

    SessionColumns() {
        super(MIN_CAPACITY);
    }

    @Override
    void clear(int session) {
        rowCountOf[session] = 0;
        lastCommitOf[session] = HistorySlice.NONE;
        lastCompleteOf[session] = HistorySlice.NONE;
        lateRowCountOf[session] = 0;
        earlyStartCountOf[session] = 0;
        overlapCountOf[session] = 0;
        isSuspect[session] = false;
    }

    @Override
    void grow(int capacity) {
        minSeqOf = Arrays.copyOf(minSeqOf, capacity);
        maxSeqOf = Arrays.copyOf(maxSeqOf, capacity);
        rowCountOf = Arrays.copyOf(rowCountOf, capacity);
        firstRowOf = Arrays.copyOf(firstRowOf, capacity);
        lastCommitOf = Arrays.copyOf(lastCommitOf, capacity);
        lastCompleteOf = Arrays.copyOf(lastCompleteOf, capacity);
        lateRowCountOf = Arrays.copyOf(lateRowCountOf, capacity);
        earlyStartCountOf = Arrays.copyOf(earlyStartCountOf, capacity);
        overlapCountOf = Arrays.copyOf(overlapCountOf, capacity);
        isSuspect = Arrays.copyOf(isSuspect, capacity);
    }

    @Override
    void move(int from, int to) {
        minSeqOf[to] = minSeqOf[from];
        maxSeqOf[to] = maxSeqOf[from];
        rowCountOf[to] = rowCountOf[from];
        firstRowOf[to] = firstRowOf[from];
        lastCommitOf[to] = lastCommitOf[from];
        lastCompleteOf[to] = lastCompleteOf[from];
        lateRowCountOf[to] = lateRowCountOf[from];
        earlyStartCountOf[to] = earlyStartCountOf[from];
        overlapCountOf[to] = overlapCountOf[from];
        isSuspect[to] = isSuspect[from];
    }
}
