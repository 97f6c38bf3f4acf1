package io.nightjar.pipeline.decide;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import io.nightjar.pipeline.infer.VersionSource;
import java.util.Set;

/**
 * Request for a decision by values, with the evidence that it may use.
 *
 * @param levels levels to decide
 * @param mayUseVersions whether version numbers of the source may order versions
 * @param mayUseTimestamps whether commit timestamps may order versions, for levels that cycles decide
 * @param versionOrders further sources of the order of register versions, for levels that cycles decide
 * @param componentNanos time limit per component; 0 to derive it from the size of its history
 * @param crossChecks whether each component is searched in two ways that must agree
 * @param findingLimit maximum number of findings retained
 */
public record ValueCheckRequest(
        Set<IsolationLevel> levels,
        boolean mayUseVersions,
        boolean mayUseTimestamps,
        Set<VersionSource> versionOrders,
        long componentNanos,
        boolean crossChecks,
        int findingLimit) {

    /** Default time limit of one component, per this many transactions. */
    private static final long COMPONENT_NANOS = 60_000_000_000L;

    private static final int TXNS_PER_BUDGET = 200_000;

    /**
     * Returns whether levels or orders of versions need real time, which relates all transactions: then the history is
     * one group.
     */
    public boolean relatesAllSessions() {
        return LevelLattice.needsRealTime(levels) || versionOrders.contains(VersionSource.REALTIME);
    }

    /** Returns the request for some of the levels, to be decided from values alone. */
    ValueCheckRequest fromValues(Set<IsolationLevel> some) {
        return new ValueCheckRequest(some, false, false, versionOrders, componentNanos, crossChecks, findingLimit);
    }

    /** Returns the time limit of one component of a history of the given number of transactions. */
    long componentNanosOf(int txnCount) {
        return componentNanos > 0 ? componentNanos : COMPONENT_NANOS * Math.max(1, txnCount / TXNS_PER_BUDGET);
    }
}
