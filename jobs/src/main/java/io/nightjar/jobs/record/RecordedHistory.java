package io.nightjar.jobs.record;

import io.nightjar.datasets.workload.Assertion;
import java.util.List;

/**
 * What was recorded.
 *
 * @param certificates as {@code Certificates} spells them
 * @param log whether the server's log of changes is known from the first transaction to the last: complete, incomplete or none
 * @param broken assertions of the workload that do not hold at its end; null if nobody can tell, as where the outcome of a transaction is unknown
 * @param doubt why timestamps were left out although the database told them; null if they were not
 * @param failed why the recording is not complete; null if it is
 */
public record RecordedHistory(
        String out,
        String database,
        String isolation,
        String workload,
        Totals totals,
        String certificates,
        String log,
        double seconds,
        List<Assertion> broken,
        String doubt,
        String failed) {

    /**
     * How much there is.
     *
     * @param transactions attempts: committed, aborted and unknown ones
     */
    public record Totals(long transactions, long committed, long aborted, long unknown, long operations) {}
}
