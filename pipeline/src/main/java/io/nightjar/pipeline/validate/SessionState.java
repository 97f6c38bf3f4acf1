package io.nightjar.pipeline.validate;

import io.nightjar.formats.history.HistorySlice;
import org.jspecify.annotations.Nullable;

/** Data that {@link SessionRules} stores for a session. */
final class SessionState {

    /** Upper bound of the bytes per session, including its entry in a table. */
    static final int BYTES = 140;

    final long id;

    /** Number of the first row, if provided by the caller. */
    final long firstRow;

    long minSeq;
    long maxSeq;
    long rowCount = 1;

    /** Commit timestamp of the last committed transaction, or NONE. */
    long lastCommit = HistorySlice.NONE;

    /** When the client learned of the last transaction's end, or NONE. */
    long lastComplete = HistorySlice.NONE;

    int lateRowCount;
    int earlyStartCount;
    int overlapCount;

    /** Whether two rows may have one position. */
    boolean isSuspect;

    /** All positions, in a pass that marks them; else null. */
    @Nullable
    SessionPositions positions;

    SessionState(long id, long seq, long firstRow) {
        this.id = id;
        this.firstRow = firstRow;
        this.minSeq = seq;
        this.maxSeq = seq;
    }

    /** Returns whether the session has a row for each position from the smallest to the greatest. */
    boolean hasNoGaps() {
        return maxSeq - minSeq == rowCount - 1;
    }
}
