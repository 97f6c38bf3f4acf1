package io.nightjar.datasets.store;

import java.util.Arrays;

/** Clock rows: for each session, the number of its transactions that precede a node; sessions are in order. */
final class VectorClocks {

    private VectorClocks() {}

    /** Joins a row into another, which may be longer; returns whether that has grown. */
    static boolean join(int[] row, int[] addition) {
        boolean grows = false;
        for (int i = 0; i < addition.length; i++) {
            if (addition[i] > row[i]) {
                row[i] = addition[i];
                grows = true;
            }
        }
        return grows;
    }

    /** Joins a session's transaction and its predecessors into a row. */
    static void joinTxn(int[] row, int[] beforeTxn, int session, int position) {
        join(row, beforeTxn);
        row[session] = Math.max(row[session], position + 1);
    }

    /** Returns the first of this many rows of one session that contains a transaction of another. */
    static int firstThatKnows(int[][] rows, int count, int session, int position) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (rows[middle][session] > position) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** Replaces rows by copies for more sessions. */
    static void widen(int[][] rows, int count, int sessions) {
        for (int position = 0; position < count; position++) {
            rows[position] = Arrays.copyOf(rows[position], sessions);
        }
    }
}
