package io.nightjar.jobs.run;

import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.level.Axiom;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.run.CheckOptions.Evidence;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** Which evidence answers for which of the levels asked for. */
public final class EvidenceChoice {

    /*
     * Timestamps answer for the levels whose axioms they know, if they may be trusted and every committed transaction has
     * them. Everything else is a question of what clients saw.
     *
     * A serializable database need not keep the order of commits: one that aborts dangerous structures keeps another.
     * So the order of commits is a level of its own, commit-order-serializable, and proves serializability where it holds. Where
     * it does not, an order of positions may (SegmentCheck, HintedOrderCheck), else dependencies in the order of versions that
     * commit timestamps give (SerialProof); versions or values, if they may be used, are asked before a cycle violates it.
     */

    /** What a check from timestamps reads, and what is asked of every history. */
    public static final Set<ColumnGroup> TIMESTAMP_COLUMNS =
            Set.of(ColumnGroup.TIMESTAMPS, ColumnGroup.CLIENT_TIMES, ColumnGroup.OPERATIONS);

    private final CheckOptions options;

    public EvidenceChoice(CheckOptions options) {
        this.options = options;
    }

    /** Whether timestamps are wanted, if the history has them. */
    public boolean mayUseTimestamps() {
        return isTrusted() && !axioms().isEmpty();
    }

    private boolean isTrusted() {
        return options.evidence() == Evidence.AUTO || options.evidence() == Evidence.TIMESTAMPS;
    }

    /** Whether versions or values may decide serializability where timestamps do not prove it. */
    public boolean mayLeaveSerializable() {
        return options.evidence() == Evidence.AUTO && options.levels().contains(IsolationLevel.SERIALIZABLE);
    }

    /** Whether serializability may be proved by positions alone: nobody asks what the order of commits says, nor for the order. */
    public boolean mayUsePositions() {
        return options.levels().contains(IsolationLevel.SERIALIZABLE)
                && !options.levels().contains(IsolationLevel.COMMIT_ORDER_SERIALIZABLE)
                && options.witness() == null;
    }

    /** The levels that timestamps check for those asked for, each with what it demands. */
    public Map<IsolationLevel, Set<Axiom>> axioms() {
        Map<IsolationLevel, Set<Axiom>> axioms = new EnumMap<>(IsolationLevel.class);
        for (IsolationLevel level : options.timedLevels()) {
            axioms.put(level, Axiom.of(level));
        }
        return axioms;
    }

    /** @param areTimestampsComplete whether every committed transaction has them, and they were looked at */
    public boolean isDecidedByTimestamps(IsolationLevel level, boolean areTimestampsComplete) {
        return isTrusted()
                && CheckOptions.timedLevel(level) != null
                && (options.evidence() == Evidence.TIMESTAMPS || areTimestampsComplete);
    }

    /** The levels asked for that values decide, or versions. */
    public Set<IsolationLevel> byValues(boolean areTimestampsComplete) {
        Set<IsolationLevel> wanted = EnumSet.noneOf(IsolationLevel.class);
        for (IsolationLevel level : options.levels()) {
            if (!isDecidedByTimestamps(level, areTimestampsComplete)) {
                wanted.add(level);
            }
        }
        return wanted;
    }

    /**
     * The levels that are asked of values where it is not known yet whether timestamps prove serializability: it is among them if
     * they are asked anyway.
     */
    public Set<IsolationLevel> byValuesInAdvance(boolean areTimestampsComplete) {
        Set<IsolationLevel> wanted = byValues(areTimestampsComplete);
        if (!wanted.isEmpty() && mayLeaveSerializable()) {
            wanted.add(IsolationLevel.SERIALIZABLE);
        }
        return wanted;
    }

    /** Whether there is a level that values decide, if only where timestamps turn out to be missing. */
    public boolean mayNeedValues() {
        return !byValues(false).isEmpty();
    }

    /**
     * Returns what the first pass over the rows reads: as much as any later one may need, so that it tells of every bad
     * row.
     */
    public Set<ColumnGroup> columnsOfFirstPass() {
        Set<ColumnGroup> columns = EnumSet.copyOf(TIMESTAMP_COLUMNS);
        if (mayNeedValues()) {
            columns.addAll(ColumnGroup.forValues());
        }
        return columns;
    }
}
