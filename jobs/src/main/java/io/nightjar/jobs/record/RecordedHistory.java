package io.nightjar.jobs.record;

import io.nightjar.datasets.workload.Assertion;
import java.util.List;

/**
 * What was recorded.
 *
 * @param transactions attempts: committed, aborted and unknown ones
 * @param certificates as {@code Certificates} spells them
 * @param log whether the server's log of changes is known from the first transaction to the last: complete, incomplete or none
 * @param broken assertions of the workload that do not hold at its end
 * @param areAssertionsJudged whether that could be told: not where the outcome of a transaction is unknown
 * @param doubt why timestamps were left out although the database told them; null if they were not
 */
public record RecordedHistory(
        String out,
        String database,
        String isolation,
        String workload,
        long transactions,
        long committed,
        long aborted,
        long unknown,
        long operations,
        String certificates,
        String log,
        double seconds,
        List<Assertion> broken,
        boolean areAssertionsJudged,
        String doubt) {}
