package io.nightjar.jobs.mock;

/** What a run's order has to know of one session: what it has sent, and what its transaction has touched. */
final class SessionTrace {

    private static final int NOT = -1;

    private final MockStore shared;
    private long signature;
    private long rank;
    private boolean isRanked;
    private int waitsSince = NOT;
    private boolean isAfterAbort;
    private TxnFootprint footprint;

    SessionTrace(MockStore shared) {
        this.shared = shared;
        this.footprint = new TxnFootprint(shared.isFollowed());
    }

    /** A number for what the client has sent so far: equal for sessions that have sent the same. */
    long signature() {
        return signature;
    }

    /** What the session's transaction has touched. */
    TxnFootprint footprint() {
        return footprint;
    }

    void sent(String text) {
        if (shared.order() != null) {
            signature = RunOrder.mix(signature, RunOrder.told(text));
        }
    }

    /**
     * The session wants to run a transaction; until it does, it could run at any of the others' turns.
     *
     * @param isTaken whether the turn is another's already
     */
    void waitForTurn(boolean isTaken) {
        if (waitsSince == NOT && shared.order() != null) {
            waitsSince = shared.order().endedCount() + (isTaken ? 1 : 0);
        }
    }

    /** Its transaction begins; what the session has sent until its first one tells it from others in every run. */
    void begin(boolean readsNewest) {
        if (!isRanked) {
            isRanked = true;
            rank = signature;
        }
        if (readsNewest || isAfterAbort) {
            footprint.makeBarrier();
        }
    }

    /** Says what the next choice is about: the answer to a read. */
    void aboutToRead(RowObject object) {
        if (shared.order() != null) {
            long sent = RunOrder.mix(signature, shared.order().steps());
            shared.chooser().about(RunOrder.mix(sent, object.name().hashCode()));
        }
    }

    /** Its transaction has ended, as it stands in the archive; what is aborted by the store is repeated with the newest answers. */
    void ended(ArchivedTxn txn) {
        if (shared.order() != null) {
            int since = waitsSince == NOT ? shared.order().endedCount() : waitsSince;
            shared.order().ended(rank, since, txn, footprint);
        }
        isAfterAbort = "aborted".equals(txn.status) && (isAfterAbort || footprint.isBarrier());
    }

    void end() {
        footprint = new TxnFootprint(shared.isFollowed());
        waitsSince = NOT;
    }
}
