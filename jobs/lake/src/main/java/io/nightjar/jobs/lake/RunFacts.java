package io.nightjar.jobs.lake;

import java.time.Instant;

/**
 * The columns of a run's row that are not part of its result.
 *
 * @param historyUri the address as the user gave it
 * @param batchId name of the histories that a single command checked together
 * @param optionsJson the options that affect the result, as one JSON object
 * @param inputFingerprint a hash of the input
 */
public record RunFacts(
        String historyUri,
        String batchId,
        Instant startedAt,
        Instant finishedAt,
        String checkerVersion,
        String optionsJson,
        String inputFingerprint) {}
