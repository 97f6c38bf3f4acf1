package io.nightjar.jobs.lake;

import java.time.Instant;

/**
 * What a run's row says beside its result.
 *
 * @param historyUri the address as the user gave it
 * @param batchId names the histories that one command checked together
 * @param optionsJson the options that decide what comes out, as one JSON object
 * @param inputFingerprint a hash of what was read
 */
public record RunFacts(
        String historyUri,
        String batchId,
        Instant startedAt,
        Instant finishedAt,
        String checkerVersion,
        String optionsJson,
        String inputFingerprint) {}
