package io.nightjar.datasets.generate;

import org.jspecify.annotations.Nullable;

/** The open transactions in the order in which they started. */
final class SnapshotOrder {

    private @Nullable OpenTxn oldest;
    private @Nullable OpenTxn newest;

    void add(OpenTxn txn) {
        txn.startedBefore = newest;
        txn.startedAfter = null;
        if (newest == null) {
            oldest = txn;
        } else {
            newest.startedAfter = txn;
        }
        newest = txn;
    }

    void remove(OpenTxn txn) {
        if (txn.startedBefore == null) {
            oldest = txn.startedAfter;
        } else {
            txn.startedBefore.startedAfter = txn.startedAfter;
        }
        if (txn.startedAfter == null) {
            newest = txn.startedBefore;
        } else {
            txn.startedAfter.startedBefore = txn.startedBefore;
        }
    }

    /** Returns the smallest start of all, {@code Long.MAX_VALUE} if no transaction is open. */
    long oldestStart() {
        return oldest == null ? Long.MAX_VALUE : oldest.start;
    }
}
