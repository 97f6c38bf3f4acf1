package io.nightjar.pipeline.check.timestamp;

/** Finds reads that did not see the state just before their transaction's commit. */
final class SerialSweep {

    /*
     * Algorithm. Chronos for serializability: transactions are replayed one after another in the order of their
     * commits, at one timestamp writers before read-only ones. Starts play no part, so nothing overlaps and nothing
     * conflicts.
     */

    private final EventOrder order;
    private final KeyStates states;

    SerialSweep(EventOrder order, KeyStates states) {
        this.order = order;
        this.states = states;
    }

    void run() {
        int[] events = order.events();
        for (int i = 0; i < order.count(); i++) {
            int txn = EventOrder.txn(events[i]);
            states.checkReads(txn);
            states.commit(txn);
        }
    }
}
