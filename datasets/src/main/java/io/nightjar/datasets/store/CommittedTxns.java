package io.nightjar.datasets.store;

import java.util.Arrays;

/** Committed transactions, numbered as they committed: their sessions and writes. */
final class CommittedTxns {

    int count;
    int[] sessionOf = new int[64];
    int[] positionOf = new int[64];
    int[][] keysOf = new int[64][];

    /** Adds a transaction of a session at a position; returns its number. */
    int add(int session, int position, TxnBuffer txn) {
        if (count == sessionOf.length) {
            sessionOf = Arrays.copyOf(sessionOf, 2 * count);
            positionOf = Arrays.copyOf(positionOf, 2 * count);
            keysOf = Arrays.copyOf(keysOf, 2 * count);
        }
        sessionOf[count] = session;
        positionOf[count] = position;
        keysOf[count] = Arrays.copyOf(txn.writtenKey, txn.writeCount);
        return count++;
    }

    /** Returns the index of a key among the writes of a transaction, -1 if it did not write the key. */
    int writeOf(int txn, int key) {
        int write = keysOf[txn].length - 1;
        while (write >= 0 && keysOf[txn][write] != key) {
            write--;
        }
        return write;
    }
}
