package io.nightjar.datasets.store;

/**
 * A store that draws the results of reads from all that a level allows, for a database with a varying number of
 * sessions.
 */
public interface NondeterministicStore extends Store {

    /** Extends the store to sessions numbered below {@code count}; existing sessions keep their state. */
    void growSessions(int count);

    /**
     * Reads the last committed value, as statements do that change the value that they read.
     *
     * @return {@link #ABORTED} if that is newer than the level allows: the transaction has been aborted
     */
    long readNewest(int session, int key);

    /**
     * Reads the oldest version that the level allows: mostly the last one in the transaction's past, which makes no new
     * transaction visible. Draws nothing.
     *
     * @return {@link #ABORTED} if none is allowed: the transaction has been aborted
     */
    long readOldest(int session, int key);

    /** Returns the number of committed transactions of the session; the position of its next transaction. */
    int committedCount(int session);

    /** Returns the number of committed versions of a key. */
    int versionCount(int key);

    /**
     * Records that a transaction has observed that a key has no version yet: a transaction that scanned a range in
     * which the key will be. Effective only as long as the key has none.
     *
     * @param position of the transaction in its session; that of the open one is {@link #committedCount}
     */
    void recordUnborn(int session, int position, int key);

    /** Undoes a write of the open transaction. */
    void unwrite(int session, int key);

    /** Makes a session read the newest versions that are allowed until it commits. */
    void readNewestUntilCommit(int session);
}
