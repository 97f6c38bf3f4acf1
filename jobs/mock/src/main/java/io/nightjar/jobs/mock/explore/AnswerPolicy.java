package io.nightjar.jobs.mock.explore;

import io.nightjar.jobs.mock.ChoiceLog;
import io.nightjar.jobs.mock.ChoiceMode;
import io.nightjar.jobs.mock.StepPredictor;
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
public record AnswerPolicy(ChoiceLog first, ChoiceMode mode, long seed, boolean cuts, @Nullable StepPredictor known) {

    /** Returns answers that are the given ones first, and the newest after them. */
    public static AnswerPolicy script(ChoiceLog first, long seed) {
        return new AnswerPolicy(first, ChoiceMode.NEWEST, seed, false, null);
    }

    /** Returns answers that a mode draws from a seed. */
    public static AnswerPolicy drawn(ChoiceMode mode, long seed) {
        return new AnswerPolicy(ChoiceLog.NONE, mode, seed, false, null);
    }
}
