package io.nightjar.datasets.store;

import io.nightjar.formats.history.HistorySlice;

/**
 * A database that a workload runs against, one call after the other. A session has at most one open transaction, which
 * is named by its session.
 */
public interface Store {

    /** The result of a read of a key if no write of it is visible. */
    long INITIAL = HistorySlice.NONE;

    /** The result of a read if no version is allowed: the transaction has been aborted. */
    long ABORTED = HistorySlice.NONE + 1;

    /** Begins the session's next transaction. */
    void begin(int session);

    /**
     * Returns the value that the session's transaction reads: its own last write, else another's; or one of the
     * constants.
     */
    long read(int session, int key);

    /** Writes a version; returns false if no order is left for the transaction: it has been aborted. */
    boolean write(int session, int key, long value);

    /** Makes the writes visible to others; false if the transaction was aborted instead. */
    boolean commit(int session);

    /** Ends the transaction as if it had never been. */
    void abort(int session);

    /**
     * Returns the start of the session's latest transaction on the store's clock, {@link HistorySlice#NONE} if it has
     * none.
     */
    default long startTs(int session) {
        return HistorySlice.NONE;
    }

    /** Returns the commit of the session's latest transaction, {@link HistorySlice#NONE} if it has none. */
    default long commitTs(int session) {
        return HistorySlice.NONE;
    }
}
