package io.nightjar.jobs.mock;

import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Predicts the next step of a session from earlier runs, by a hash of all its answers so far. Sessions that communicate
 * only through the database repeat their steps.
 */
public final class StepPredictor {

    /** Ways in which a session reads the writes of others. */
    enum Kind {
        /** Reads any allowed version of an object. */
        READ,
        /** Reads the last committed state of an object. */
        ANSWER,
        /** Scans the objects of a table. */
        SCAN
    }

    /** A possible next step of a session. */
    sealed interface Step {

        /** Returns whether the steps are indistinguishable. */
        boolean isSame(Step other);
    }

    /**
     * Read of the writes of others.
     *
     * @param about the name of an object or a table
     */
    record ExpectedRead(Kind kind, String about) implements Step {

        @Override
        public boolean isSame(Step other) {
            return equals(other);
        }
    }

    /**
     * End of its transaction.
     *
     * @param rank rank of the session
     * @param footprint accesses of the whole transaction
     */
    record End(long rank, TxnAccessSet footprint) implements Step {

        @Override
        public boolean isSame(Step other) {
            return other instanceof End end && rank == end.rank && footprint.touchesSame(end.footprint);
        }
    }

    private final Long2ObjectOpenHashMap<Step> stepOf = new Long2ObjectOpenHashMap<>();
    private boolean isContradicted;

    /**
     * Returns whether a session did, or may have done, something else after equal answers; then no prediction is
     * possible.
     */
    public boolean isContradicted() {
        return isContradicted;
    }

    /** Stops predicting because an event occurred that does not follow from the answers. */
    void disable() {
        isContradicted = true;
    }

    /** Returns the next step of a session with these answers; null if no earlier session received them. */
    @Nullable
    Step next(long answered) {
        return stepOf.get(answered);
    }

    void record(long answered, Step step) {
        Step before = stepOf.putIfAbsent(answered, step);
        isContradicted |= before != null && !before.isSame(step);
    }
}
