package io.nightjar.jobs.mock.explore;

import io.nightjar.jobs.mock.ChoiceLog;
import io.nightjar.jobs.mock.ChoiceMode;
import io.nightjar.jobs.mock.StepPredictor;
import org.jspecify.annotations.Nullable;

/**
 * Policy for the answers to the reads of a run.
 *
 * @param first the choices to replay first
 * @param mode the policy for later choices
 * @param seed the seed of later choices and of all other random values in a run
 * @param cuts whether the run may end as soon as an equivalent order of its transactions is known
 * @param known predictor that detects such an order sooner, null for none
 */
public record AnswerPolicy(ChoiceLog first, ChoiceMode mode, long seed, boolean cuts, @Nullable StepPredictor known) {

    /** Creates a policy that replays choices and then returns the newest versions. */
    public static AnswerPolicy script(ChoiceLog first, long seed) {
        return new AnswerPolicy(first, ChoiceMode.NEWEST, seed, false, null);
    }

    /** Creates a policy that draws answers by a mode from a seed. */
    public static AnswerPolicy drawn(ChoiceMode mode, long seed) {
        return new AnswerPolicy(ChoiceLog.NONE, mode, seed, false, null);
    }
}
