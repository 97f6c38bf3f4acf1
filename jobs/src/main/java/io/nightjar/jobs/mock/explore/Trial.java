package io.nightjar.jobs.mock.explore;

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
     * @param behind how many versions behind the newest that was allowed each answer was
     * @param bounds how many answers each choice had
     * @param divergedAt the first choice that was another one than expected, -1 if none
     * @param steps what clients did
     * @param output the last that the test printed
     */
    record Result(
            boolean isBroken,
            int exitCode,
            int[] behind,
            int[] bounds,
            int divergedAt,
            List<RunLog.Step> steps,
            String output) {}

    Result run(Answers answers) throws IOException, InterruptedException;
}
