package io.nightjar.jobs.run;

import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.level.Axiom;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.run.CheckOptions.Evidence;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** The assignment of evidence to the requested levels. */
public final class EvidenceChoice {

    /*
     * Timestamps decide the levels with axioms over them, if the timestamps may be trusted and every committed
     * transaction has them. Everything else is decided by the values that clients observed. So is snapshot isolation
     * where timestamps leave keys with conditional writes open, if versions or values may be used.
     *
     * A serializable database need not keep the order of commits: a database that aborts dangerous structures keeps
     * another. So the order of commits is a separate level, commit-order-serializable, and proves serializability if it
     * holds. If it does not, an order of positions may (SegmentCheck, HintedOrderCheck), or else dependencies in the
     * order of versions that commit timestamps give (SerialProof); versions or values, if they may be used, are checked
     * before a cycle violates the level.
     */

    /** The columns that a check from timestamps reads, and every validation needs. */
    public static final Set<ColumnGroup> TIMESTAMP_COLUMNS =
            Set.of(ColumnGroup.TIMESTAMPS, ColumnGroup.CLIENT_TIMES, ColumnGroup.OPERATIONS);

    private final CheckOptions options;

    public EvidenceChoice(CheckOptions options) {
        this.options = options;
    }

    /** Returns whether timestamps are used, if the history has them. */
    public boolean mayUseTimestamps() {
        return isTrusted() && !axioms().isEmpty();
    }

    private boolean isTrusted() {
        return options.evidence() == Evidence.AUTO || options.evidence() == Evidence.TIMESTAMPS;
    }

    /** Returns whether versions or values may decide serializability where timestamps do not prove it. */
    public boolean mayLeaveSerializable() {
        return options.evidence() == Evidence.AUTO && options.levels().contains(IsolationLevel.SERIALIZABLE);
    }

    /** Returns whether values may decide a level where timestamps leave conditional writes open. */
    boolean mayLeaveConditions(IsolationLevel level) {
        return options.evidence() == Evidence.AUTO && level == IsolationLevel.SNAPSHOT_ISOLATION;
    }

    /**
     * Returns whether serializability may be proved by positions alone: neither the verdict of the order of commits nor
     * a witness is requested.
     */
    public boolean mayUsePositions() {
        return options.levels().contains(IsolationLevel.SERIALIZABLE)
                && !options.levels().contains(IsolationLevel.COMMIT_ORDER_SERIALIZABLE)
                && options.witness() == null;
    }

    /** Returns the levels that timestamps check for the requested levels, each with its axioms. */
    public Map<IsolationLevel, Set<Axiom>> axioms() {
        Map<IsolationLevel, Set<Axiom>> axioms = new EnumMap<>(IsolationLevel.class);
        for (IsolationLevel level : options.timedLevels()) {
            axioms.put(level, Axiom.of(level));
        }
        return axioms;
    }

    /** @param areTimestampsComplete whether every committed transaction has timestamps, and they were checked */
    public boolean isDecidedByTimestamps(IsolationLevel level, boolean areTimestampsComplete) {
        return isTrusted()
                && CheckOptions.timedLevel(level) != null
                && (options.evidence() == Evidence.TIMESTAMPS || areTimestampsComplete);
    }

    /**
     * Returns the requested levels that values decide, or versions; snapshot isolation also where timestamps may leave
     * conditional writes open.
     *
     * @param hasConditions whether the history has conditional writes
     */
    public Set<IsolationLevel> byValues(boolean areTimestampsComplete, boolean hasConditions) {
        Set<IsolationLevel> wanted = EnumSet.noneOf(IsolationLevel.class);
        for (IsolationLevel level : options.levels()) {
            if (!isDecidedByTimestamps(level, areTimestampsComplete) || hasConditions && mayLeaveConditions(level)) {
                wanted.add(level);
            }
        }
        return wanted;
    }

    /**
     * Returns the levels to decide by values before it is known whether timestamps prove serializability: it is among
     * them if values are checked anyway.
     */
    public Set<IsolationLevel> byValuesInAdvance(boolean areTimestampsComplete, boolean hasConditions) {
        Set<IsolationLevel> wanted = byValues(areTimestampsComplete, hasConditions);
        if (!wanted.isEmpty() && mayLeaveSerializable()) {
            wanted.add(IsolationLevel.SERIALIZABLE);
        }
        return wanted;
    }

    /** Returns whether values decide a level, at least if timestamps turn out to be missing. */
    public boolean mayNeedValues() {
        return !byValues(false, false).isEmpty();
    }

    /**
     * Returns the columns of the first pass: all that any later pass may need, so that it reports every malformed row.
     */
    public Set<ColumnGroup> columnsOfFirstPass() {
        Set<ColumnGroup> columns = EnumSet.copyOf(TIMESTAMP_COLUMNS);
        if (mayNeedValues()) {
            columns.addAll(ColumnGroup.forValues());
        }
        return columns;
    }
}
