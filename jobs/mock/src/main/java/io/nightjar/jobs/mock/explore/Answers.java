package io.nightjar.jobs.mock.explore;

import io.nightjar.jobs.mock.ChoiceMode;
import io.nightjar.jobs.mock.Choices;
import io.nightjar.jobs.mock.KnownSteps;
import org.jspecify.annotations.Nullable;

/**
 * The ways in which the reads of a run are answered.
 *
 * @param first what is chosen first
 * @param mode how what comes after is chosen
 * @param seed for that, and for all else that is drawn in a run
 * @param cuts whether the run may end as soon as another order of its transactions makes the same history
 * @param known what tells sooner that it does, null for nothing
 */
public record Answers(Choices first, ChoiceMode mode, long seed, boolean cuts, @Nullable KnownSteps known) {

    /** Returns answers that are the given ones first, and the newest after them. */
    public static Answers script(Choices first, long seed) {
        return new Answers(first, ChoiceMode.NEWEST, seed, false, null);
    }

    /** Returns answers that a mode draws from a seed. */
    public static Answers drawn(ChoiceMode mode, long seed) {
        return new Answers(Choices.NONE, mode, seed, false, null);
    }
}
