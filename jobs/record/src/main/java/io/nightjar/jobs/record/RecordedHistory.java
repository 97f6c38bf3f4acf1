package io.nightjar.jobs.record;

import io.nightjar.datasets.workload.Assertion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Result of a recording.
 *
 * @param broken assertions of the workload that do not hold at its end; null if unknown, as with unknown transactions
 * @param failed the reason why the recording is incomplete; null if it is complete
 */
public record RecordedHistory(
        String out,
        Origin origin,
        Totals totals,
        Proof proof,
        double seconds,
        @Nullable List<Assertion> broken,
        @Nullable String failed) {

    /** Workload of a recording, with its database and level. */
    public record Origin(String database, String isolation, String workload) {}

    /**
     * Evidence from the database for the order of transactions.
     *
     * @param certificates in the spelling of {@code Certificates}
     * @param log state of the server's log of changes for the whole recording: complete, incomplete or none
     * @param doubt reason why available timestamps were omitted; null if they were not
     */
    public record Proof(String certificates, String log, @Nullable String doubt) {}

    /**
     * Number of recorded transactions and operations.
     *
     * @param transactions attempts: committed, aborted and unknown ones
     */
    public record Totals(long transactions, long committed, long aborted, long unknown, long operations) {}
}
