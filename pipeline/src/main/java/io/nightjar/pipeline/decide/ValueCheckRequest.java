package io.nightjar.pipeline.decide;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import io.nightjar.pipeline.infer.VersionSource;
import java.util.Set;

/**
 * What is asked of values, and what they may lean on.
 *
 * @param levels those that values are to decide
 * @param mayUseVersions whether version numbers of the source may order versions
 * @param mayUseTimestamps whether commit timestamps may, for levels that cycles decide
 * @param versionOrders what else may order the versions of registers, for levels that cycles decide
 * @param componentNanos how long one component may be searched; 0 to go by the size of its history
 * @param crossChecks whether each component is searched in two ways that must agree
 * @param findingLimit how many findings are kept
 */
public record ValueCheckRequest(
        Set<IsolationLevel> levels,
        boolean mayUseVersions,
        boolean mayUseTimestamps,
        Set<VersionSource> versionOrders,
        long componentNanos,
        boolean crossChecks,
        int findingLimit) {

    /** What one component may take, for this many transactions each, where nothing else was said. */
    private static final long COMPONENT_NANOS = 60_000_000_000L;

    private static final int TXNS_PER_BUDGET = 200_000;

    /** Whether levels or orders of versions need real time, which relates all transactions: then there is one group only. */
    public boolean relatesAllSessions() {
        return LevelLattice.needsRealTime(levels) || versionOrders.contains(VersionSource.REALTIME);
    }

    /** How long one component of a history of the given number of transactions may be searched. */
    long componentNanosOf(int txnCount) {
        return componentNanos > 0 ? componentNanos : COMPONENT_NANOS * Math.max(1, txnCount / TXNS_PER_BUDGET);
    }
}
