package io.nightjar.jobs.mock;

import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What sessions did next in the runs before, by all that they had been answered until then. Where sessions talk through the
 * database alone they do the same again.
 */
public final class KnownSteps {

    /** The kinds of steps that a session may take next. */
    enum Kind {
        /** It reads a version of an object, any that is allowed. */
        READ,
        /** It looks at an object as it was last committed. */
        LOOK,
        /** It looks through the objects of a table. */
        SCAN,
        /** Its transaction ends. */
        END
    }

    /**
     * One step.
     *
     * @param about the name of an object or a table, null at the end
     * @param rank of the session, at the end; else 0
     * @param footprint of the whole transaction, at the end; else null
     */
    record Step(Kind kind, @Nullable String about, long rank, @Nullable TxnFootprint footprint) {

        private boolean isSame(Step other) {
            return kind == other.kind
                    && rank == other.rank
                    && (about == null ? other.about == null : about.equals(other.about))
                    && (footprint == null ? other.footprint == null : footprint.touchesSame(other.footprint));
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
    Step next(long answered) {
        return stepOf.get(answered);
    }

    void note(long answered, Step step) {
        Step before = stepOf.putIfAbsent(answered, step);
        isContradicted |= before != null && !before.isSame(step);
    }
}
