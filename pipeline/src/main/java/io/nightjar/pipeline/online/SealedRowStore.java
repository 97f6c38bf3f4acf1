package io.nightjar.pipeline.online;

/**
 * Keeps rows that were sealed, so that what arrives late can still be judged exactly.
 *
 * <p>Rows belong to a sequence, named by a room and a number in it, and are sorted in it by time.
 */
public interface SealedRowStore {

    void append(int capacity, int sequence, SealedRow row);

    /** Looks at what {@link #append} will need of sequences, those of all at a time, so that their misses of the cache overlap. */
    default long prefetch(int capacity, int[] sequences, int count) {
        return 0;
    }

    /** Gives back all rows of a sequence from a time on, in order, and keeps them no longer. */
    void removeFrom(int capacity, int sequence, long from, Visitor to);

    /** Shows the last row before a time; returns false if there is none. */
    boolean lastBefore(int capacity, int sequence, long before, SealedRow into);

    /** Shows all rows from a time on, in order. */
    void forEachFrom(int capacity, int sequence, long from, Visitor to);

    /** Shows the latest rows before a time, the last one first, until enough has been seen; far ones may be passed over. */
    void forEachBefore(int capacity, int sequence, long before, Seeker to);

    /** Forgets what there is no room for; whatever was put stays until then. */
    void evict();

    /** Sets the listener for every row that is forgotten. */
    void setEvictionListener(Forgetting to);

    /** Gives up all rows; none may be asked for or put from here on. */
    void release();

    /** Bytes held, for memory accounting. */
    long byteSize();

    /** Called for a row, which is valid until the call returns. */
    @FunctionalInterface
    interface Visitor {
        void row(SealedRow row);
    }

    /** Called for a row, which is valid until the call returns; says whether it has seen enough. */
    @FunctionalInterface
    interface Seeker {
        boolean isEnough(SealedRow row);
    }

    /** Called for a row that is forgotten, once or, if it was taken and put again, once more. */
    @FunctionalInterface
    interface Forgetting {
        void forgotten(int capacity, int sequence, SealedRow row);
    }
}
