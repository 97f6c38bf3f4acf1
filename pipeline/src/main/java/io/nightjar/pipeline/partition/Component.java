package io.nightjar.pipeline.partition;

import io.nightjar.pipeline.infer.ClientHistory;

/** A part of a history that can be checked alone: the operations of its sessions on the keys of one component. */
public final class Component {

    public final ClientHistory history;

    /** Ordinal of each transaction in the whole history; ascending. */
    public final int[] wholeTxnOf;

    Component(ClientHistory history, int[] wholeTxnOf) {
        this.history = history;
        this.wholeTxnOf = wholeTxnOf;
    }

    /** Returns a history that is not cut. */
    public static Component whole(ClientHistory history) {
        int[] same = new int[history.txnCount];
        for (int txn = 0; txn < same.length; txn++) {
            same[txn] = txn;
        }
        return new Component(history, same);
    }
}
