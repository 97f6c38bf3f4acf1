package io.nightjar.jobs.mock.explore;

import io.nightjar.jobs.mock.ChoiceLog;
import io.nightjar.jobs.mock.RunLog;
import java.io.IOException;
import java.util.List;

/** A test that can be run repeatedly. */
@FunctionalInterface
public interface Trial {

    /**
     * Result of a run.
     *
     * @param isBroken whether the test failed
     * @param exitCode exit code of the test
     * @param choices the choices made
     * @param divergedAt the first choice that differed from the expected choices, -1 if none
     * @param isCut whether the run ended early because an equivalent order of its transactions is explored
     * @param history hash that is equal for runs with equal reads from equal writers
     * @param steps the steps of clients
     * @param output the last output of the test
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

    /** Returns the maximum number of runs for removing stale reads from a broken run. */
    default int maxReplays() {
        return FEW_REPLAYS;
    }

    Result run(AnswerPolicy answers) throws IOException, InterruptedException;
}
