package io.nightjar.datasets.store;

import java.util.Arrays;

/** Committed transactions, numbered as they committed: whose they are, and what they wrote. */
final class CommittedTxns {

    int count;
    int[] sessionOf = new int[64];
    int[] placeOf = new int[64];
    int[][] keysOf = new int[64][];

    /** The next number is that of a session's transaction at a place. */
    int add(int session, int place, TxnBuffer txn) {
        if (count == sessionOf.length) {
            sessionOf = Arrays.copyOf(sessionOf, 2 * count);
            placeOf = Arrays.copyOf(placeOf, 2 * count);
            keysOf = Arrays.copyOf(keysOf, 2 * count);
        }
        sessionOf[count] = session;
        placeOf[count] = place;
        keysOf[count] = Arrays.copyOf(txn.writtenKey, txn.writeCount);
        return count++;
    }

    /** Where a transaction wrote a key among what it wrote, -1 if it did not. */
    int writeOf(int txn, int key) {
        int write = keysOf[txn].length - 1;
        while (write >= 0 && keysOf[txn][write] != key) {
            write--;
        }
        return write;
    }
}
