package io.nightjar.jdbc;

/** Which transaction of a recording has which number in PostgreSQL: what a row has as its xmin. */
final class XminIndex {

    /*
     * Numbers have 32 bits and begin anew when they are used up, or after a crash with those that were lost. Each number has one
     * place, which the latest one takes: so memory stays what it is, and who wrote long ago is not told any more.
     */

    /** A row whose writer is not told. */
    static final long NONE = -1;

    private static final int PLACES = 1 << 16;

    private final long[] xminOf = new long[PLACES];
    private final long[] txnOf = new long[PLACES];

    synchronized void add(long xmin, long txnId) {
        int place = (int) (xmin & PLACES - 1);
        xminOf[place] = xmin;
        txnOf[place] = txnId;
    }

    /** The transaction that has written rows under a number; 0 if that is not known. */
    synchronized long txnOf(long xmin) {
        int place = (int) (xmin & PLACES - 1);
        return xminOf[place] == xmin ? txnOf[place] : 0;
    }

    /** Whether a number was given after another one. */
    static boolean isNewer(long xmin, long than) {
        return than == NONE || (int) (xmin - than) > 0;
    }
}
