package io.nightjar.jobs.record;

/**
 * What was recorded.
 *
 * @param transactions attempts: committed, aborted and unknown ones
 * @param certificates as {@code Certificates} spells them
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
        double seconds,
        String doubt) {}
