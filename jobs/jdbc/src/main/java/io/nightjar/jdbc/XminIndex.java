package io.nightjar.jdbc;

/** Map from PostgreSQL's transaction numbers, as in a row's xmin, to transactions of a recording. */
final class XminIndex {

    /*
     * Layout. A number has one slot, which the latest transaction occupies. Numbers have 32 bits, and are used again
     * when they are exhausted, or when a crash has lost them.
     *
     * Cost. Constant memory; the writers of old rows become unknown.
     */

    /** A row with an unknown writer. */
    static final long NONE = -1;

    private static final int SLOTS = 1 << 16;

    private final long[] xminOf = new long[SLOTS];
    private final long[] txnOf = new long[SLOTS];

    synchronized void add(long xmin, long txnId) {
        int slot = (int) (xmin & SLOTS - 1);
        xminOf[slot] = xmin;
        txnOf[slot] = txnId;
    }

    /** Returns the transaction that has written rows under a number; 0 if that is not known. */
    synchronized long txnOf(long xmin) {
        int slot = (int) (xmin & SLOTS - 1);
        return xminOf[slot] == xmin ? txnOf[slot] : 0;
    }

    /** Returns whether a number was assigned after another number. */
    static boolean isNewer(long xmin, long than) {
        return than == NONE || (int) (xmin - than) > 0;
    }
}
