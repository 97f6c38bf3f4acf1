package io.nightjar.jobs.mock;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import org.jspecify.annotations.Nullable;

/** What a run's order has to know of one session: what it has sent and been answered, and what its transaction has touched. */
final class SessionTrace {

    private static final int NOT = -1;

    private final MockStore shared;
    private long signature;
    private long rank;
    private boolean isRanked;
    private int waitsSince = NOT;
    private boolean isAfterAbort;
    private TxnAccessSet footprint;

    /** A number for all that the session has been answered, since it first wanted to run a transaction. */
    private long answered;

    private boolean isAsked;

    /** Whether it has been told what no version tells, so that it is not known how it goes on. */
    private boolean isStrange;

    SessionTrace(MockStore shared) {
        this.shared = shared;
        this.footprint = new TxnAccessSet(shared.isFollowed());
    }

    /** A number for what the client has sent so far: equal for sessions that have sent the same. */
    long signature() {
        return signature;
    }

    /** Returns what the session's transaction has touched. */
    TxnAccessSet footprint() {
        return footprint;
    }

    void sent(String text) {
        if (shared.isFollowed()) {
            signature = CanonicalOrder.mix(signature, CanonicalOrder.told(text));
        }
    }

    /**
     * The session wants to run a transaction; until it does, it could run at any of the others' turns.
     *
     * @param isTaken whether the turn is another's already
     */
    void waitForTurn(boolean isTaken) {
        if (waitsSince == NOT && shared.isFollowed()) {
            waitsSince = shared.order().endedCount() + (isTaken ? 1 : 0);
        }
        if (!isAsked) {
            isAsked = true;
            answered = signature;
        }
    }

    /**
     * Notes that its transaction begins; what it sent until its first one tells the session from others in every run.
     */
    void begin(boolean readsNewest) {
        if (!isRanked) {
            isRanked = true;
            rank = signature;
        }
        if (readsNewest || isAfterAbort) {
            makeBarrier();
        }
    }

    /** Notes that the transaction may depend on all that came before, and matter to all that comes after. */
    void makeBarrier() {
        footprint.makeBarrier();
        isStrange = true;
    }

    // ---------------------------------------------------------------- answers

    /**
     * Says what the next choice is about: the answer to a read.
     *
     * @param place of the statement among all in the run, whatever they are
     */
    void aboutToRead(RowObject object, boolean isChoice, long place) {
        if (!shared.isFollowed()) {
            return;
        }
        shared.chooser().at(CanonicalOrder.mix(place, object.name().hashCode()) >>> 1);
        long sent = CanonicalOrder.mix(signature, shared.order().steps());
        shared.chooser().about(CanonicalOrder.mix(sent, object.name().hashCode()));
        boolean avoids = foretells() && isChoice;
        shared.chooser().avoid(avoids ? id -> isKnownWith(object, shared.version(id)) : null, shared.order()::cut);
        if (foretells()) {
            note(isChoice ? StepPredictor.Kind.READ : StepPredictor.Kind.LOOK, object.name());
        }
    }

    private boolean isKnownWith(RowObject object, @Nullable RowVersion version) {
        LongSet sources = footprint.sources();
        if (version != null) {
            sources = new LongOpenHashSet(sources);
            sources.add(version.txnId());
        }
        long next = CanonicalOrder.mix(answered, shared.order().answer(object.name(), version));
        return shared.order().isKnown(next, since(), sources);
    }

    void hasRead(RowObject object, @Nullable RowVersion version) {
        footprint.read(version);
        if (foretells()) {
            answered = CanonicalOrder.mix(answered, shared.order().answer(object.name(), version));
        }
    }

    /** Looks at an object as it was last committed, without a read. */
    void look(RowObject object) {
        if (foretells()) {
            note(StepPredictor.Kind.LOOK, object.name());
            answered = CanonicalOrder.mix(answered, shared.order().answer(object.name(), object.newest()));
        }
    }

    /** Looks through a table, which shows also what was never written. */
    void scan(ObjectSpace space) {
        if (foretells()) {
            note(StepPredictor.Kind.SCAN, space.name());
            answered = CanonicalOrder.mix(answered, shared.order().stateOf(space.name()));
        }
    }

    private boolean foretells() {
        return shared.foretells() && isAsked && !isStrange;
    }

    private void note(StepPredictor.Kind kind, String about) {
        shared.order().known().note(answered, new StepPredictor.Look(kind, about));
    }

    /** Whether the session's next transaction, which has not begun, leads to nothing that has not been tried. */
    boolean isKnown() {
        return foretells() && shared.order().isKnown(answered, since(), LongSet.of());
    }

    private int since() {
        return waitsSince == NOT ? shared.order().endedCount() : waitsSince;
    }

    // ---------------------------------------------------------------- ends

    /**
     * Notes that its transaction has ended as archived; one that the store aborts is repeated with the newest answers.
     */
    void ended(ArchivedTxn txn) {
        if (foretells()) {
            shared.order().known().note(answered, new StepPredictor.End(rank, footprint));
            answered = CanonicalOrder.mix(answered, txn.status.hashCode());
        }
        if (shared.isFollowed()) {
            shared.order().ended(rank, since(), txn, footprint);
        }
        isAfterAbort = "aborted".equals(txn.status) && (isAfterAbort || footprint.isBarrier());
    }

    void end() {
        footprint = new TxnAccessSet(shared.isFollowed());
        waitsSince = NOT;
    }
}
