package io.nightjar.jobs.mock;

import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What sessions did next in the runs before, by all that they had been answered until then. Where sessions talk through the
 * database alone they do the same again.
 */
public final class StepPredictor {

    /** The ways in which a session looks at what others have written. */
    enum Kind {
        /** It reads a version of an object, any that is allowed. */
        READ,
        /** It looks at an object as it was last committed. */
        LOOK,
        /** It looks through the objects of a table. */
        SCAN
    }

    /** What a session may do next. */
    sealed interface Step {

        /** Whether it cannot be told from another one. */
        boolean isSame(Step other);
    }

    /**
     * It looks at what others have written.
     *
     * @param about the name of an object or a table
     */
    record Look(Kind kind, String about) implements Step {

        @Override
        public boolean isSame(Step other) {
            return equals(other);
        }
    }

    /**
     * Its transaction ends.
     *
     * @param rank of the session
     * @param footprint of the whole transaction
     */
    record End(long rank, TxnAccessSet footprint) implements Step {

        @Override
        public boolean isSame(Step other) {
            return other instanceof End end && rank == end.rank && footprint.touchesSame(end.footprint);
        }
    }

    private final Long2ObjectOpenHashMap<Step> stepOf = new Long2ObjectOpenHashMap<>();
    private boolean isContradicted;

    /** Whether a session did something else though it had been answered the same, or might; then nothing can be told from these. */
    public boolean isContradicted() {
        return isContradicted;
    }

    /** Stops foretelling: something has happened that does not follow from answers. */
    void giveUp() {
        isContradicted = true;
    }

    /** Returns the next step of a session that has been answered so; null if no session has been there. */
    @Nullable
    Step next(long answered) {
        return stepOf.get(answered);
    }

    void note(long answered, Step step) {
        Step before = stepOf.putIfAbsent(answered, step);
        isContradicted |= before != null && !before.isSame(step);
    }
}
