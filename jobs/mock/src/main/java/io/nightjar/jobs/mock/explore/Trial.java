package io.nightjar.jobs.mock.explore;

import io.nightjar.jobs.mock.ChoiceLog;
import io.nightjar.jobs.mock.RunLog;
import java.io.IOException;
import java.util.List;

/** Runs a test once. */
@FunctionalInterface
public interface Trial {

    /**
     * What came of a run.
     *
     * @param isBroken whether the test failed
     * @param exitCode of the test
     * @param choices what was chosen
     * @param divergedAt the first choice that was another one than expected, -1 if none
     * @param isCut whether the run was ended because another order of its transactions makes the same history
     * @param history equal for runs in which the same was read from the same
     * @param steps what clients did
     * @param output the last that the test printed
     */
    record Result(
            boolean isBroken,
            int exitCode,
            ChoiceLog choices,
            int divergedAt,
            boolean isCut,
            long history,
            List<RunLog.Step> steps,
            String output) {}

    int FEW_REPLAYS = 60;

    /** How many runs may be spent on making one that breaks smaller. */
    default int mostReplays() {
        return FEW_REPLAYS;
    }

    Result run(AnswerPolicy answers) throws IOException, InterruptedException;
}
