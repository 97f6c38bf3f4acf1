package io.nightjar.pipeline.predicate;

import io.nightjar.formats.level.IsolationLevel;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Request for a check of a history of tables.
 *
 * @param levels the requested levels
 * @param trustsTimestamps whether start and commit timestamps are evidence, where they are complete
 * @param trustsVersions whether the graph of versions is
 * @param crossChecks whether snapshot isolation by timestamps needs the graph of versions to agree
 * @param isOrderGiven whether serializability is to be checked by a given order
 * @param serialOrder ids in that order; null for the order of commit timestamps
 */
public record TableCheckRequest(
        Set<IsolationLevel> levels,
        boolean trustsTimestamps,
        boolean trustsVersions,
        boolean crossChecks,
        boolean isOrderGiven,
        long @Nullable [] serialOrder) {}
