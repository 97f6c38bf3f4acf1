package io.nightjar.jobs.mock;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import org.jspecify.annotations.Nullable;

/**
 * State of one session for the order of a run: hashes of its statements and answers, and the accesses of its
 * transaction.
 */
final class SessionTrace {

    private static final int NOT = -1;

    private final MockStore shared;
    private long signature;
    private long rank;
    private boolean isRanked;
    private int waitsSince = NOT;
    private boolean isAfterAbort;
    private TxnAccessSet footprint;

    /** Hash of all answers to the session since it first wanted to run a transaction. */
    private long answered;

    private boolean isAsked;

    /** Whether it received information that is not a version, so that its next steps cannot be predicted. */
    private boolean isStrange;

    SessionTrace(MockStore shared) {
        this.shared = shared;
        this.footprint = new TxnAccessSet(shared.isFollowed());
    }

    /** Returns a hash of all statements so far: equal for sessions that sent the same. */
    long signature() {
        return signature;
    }

    /** Returns the accesses of the session's transaction. */
    TxnAccessSet footprint() {
        return footprint;
    }

    void sent(String text) {
        if (shared.isFollowed()) {
            signature = CanonicalOrder.mix(signature, CanonicalOrder.statementHash(text));
        }
    }

    /**
     * Marks the session as ready to run a transaction at any turn.
     *
     * @param isTaken whether another session has the turn
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
     * Records the start of its transaction; its statements before the first transaction identify the session in every
     * run.
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

    /** Records that the transaction may depend on all earlier transactions and affect all later ones. */
    void makeBarrier() {
        footprint.makeBarrier();
        isStrange = true;
    }

    // ---------------------------------------------------------------- answers

    /**
     * Sets the subject of the next choice: the answer to a read.
     *
     * @param position number of the statement in the run
     */
    void aboutToRead(RowObject object, boolean isChoice, long position) {
        if (!shared.isFollowed()) {
            return;
        }
        shared.chooser().at(CanonicalOrder.mix(position, object.name().hashCode()) >>> 1);
        long sent = CanonicalOrder.mix(signature, shared.order().steps());
        shared.chooser().about(CanonicalOrder.mix(sent, object.name().hashCode()));
        boolean avoids = predicts() && isChoice;
        shared.chooser().avoid(avoids ? id -> isKnownWith(object, shared.version(id)) : null, shared.order()::cut);
        if (predicts()) {
            record(isChoice ? StepPredictor.Kind.READ : StepPredictor.Kind.ANSWER, object.name());
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
        if (predicts()) {
            answered = CanonicalOrder.mix(answered, shared.order().answer(object.name(), version));
        }
    }

    /** Records an access to the last committed state of an object, without a read. */
    void recordLock(RowObject object) {
        if (predicts()) {
            record(StepPredictor.Kind.ANSWER, object.name());
            answered = CanonicalOrder.mix(answered, shared.order().answer(object.name(), object.newest()));
        }
    }

    /** Records a scan of a table, which also reveals absent objects. */
    void scan(ObjectSpace space) {
        if (predicts()) {
            record(StepPredictor.Kind.SCAN, space.name());
            answered = CanonicalOrder.mix(answered, shared.order().stateOf(space.name()));
        }
    }

    private boolean predicts() {
        return shared.foretells() && isAsked && !isStrange;
    }

    private void record(StepPredictor.Kind kind, String about) {
        shared.order().known().record(answered, new StepPredictor.ExpectedRead(kind, about));
    }

    /** Returns whether the session's next transaction, not yet started, leads only to explored outcomes. */
    boolean isKnown() {
        return predicts() && shared.order().isKnown(answered, since(), LongSet.of());
    }

    private int since() {
        return waitsSince == NOT ? shared.order().endedCount() : waitsSince;
    }

    // ---------------------------------------------------------------- ends

    /**
     * Records the end of the archived transaction; a transaction aborted by the store is repeated with the newest
     * answers.
     */
    void ended(ArchivedTxn txn) {
        if (predicts()) {
            shared.order().known().record(answered, new StepPredictor.End(rank, footprint));
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
