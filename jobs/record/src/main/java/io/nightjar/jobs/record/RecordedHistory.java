package io.nightjar.jobs.record;

import io.nightjar.datasets.workload.Assertion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was recorded.
 *
 * @param broken assertions of the workload that do not hold at its end; null if unknown, as where the outcome of a transaction is unknown
 * @param failed why the recording is not complete; null if it is
 */
public record RecordedHistory(
        String out,
        Origin origin,
        Totals totals,
        Proof proof,
        double seconds,
        @Nullable List<Assertion> broken,
        @Nullable String failed) {

    /** The workload of a recording, and the database and level that it ran on. */
    public record Origin(String database, String isolation, String workload) {}

    /**
     * What is known from the database of the order of transactions.
     *
     * @param certificates as {@code Certificates} spells them
     * @param log whether the server's log of changes is known from the first transaction to the last: complete, incomplete or none
     * @param doubt why timestamps were left out although the database told them; null if they were not
     */
    public record Proof(String certificates, String log, @Nullable String doubt) {}

    /**
     * How many transactions and operations were recorded.
     *
     * @param transactions attempts: committed, aborted and unknown ones
     */
    public record Totals(long transactions, long committed, long aborted, long unknown, long operations) {}
}
