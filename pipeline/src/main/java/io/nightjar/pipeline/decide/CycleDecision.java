package io.nightjar.pipeline.decide;

import io.nightjar.formats.history.SetsFields;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.check.Findings;
import io.nightjar.pipeline.check.cycle.DependencyAnswer;
import io.nightjar.pipeline.check.cycle.DependencyChecker;
import io.nightjar.pipeline.explain.DependencyFindings;
import io.nightjar.pipeline.infer.ReadResolution;
import io.nightjar.pipeline.infer.VersionSource;
import io.nightjar.pipeline.validate.CountFormat;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decision of some levels by cycles: infers dependencies, searches for cycles, and determines the levels they rule out
 * or prove.
 */
final class CycleDecision implements DependencyFindings.Levels {

    private static final Set<Anomaly> READ_FAULTS = EnumSet.of(
            Anomaly.G1A,
            Anomaly.G1B,
            Anomaly.GARBAGE_READ,
            Anomaly.INTERNAL,
            Anomaly.FUTURE_READ,
            Anomaly.DUPLICATE_WRITE,
            Anomaly.DUPLICATE_ELEMENTS,
            Anomaly.INCOMPATIBLE_ORDER);

    private final ReadResolution reads;
    private final Set<IsolationLevel> levels;
    private final Set<IsolationLevel> above;
    private final Set<VersionSource> sources;
    private final String algorithmOfReads;
    private final boolean byPositions;
    private final DependencyChecker.@Nullable KnownPositions known;
    private DependencyAnswer answer;

    /**
     * @param levels levels that the anomalies found may rule out
     * @param above further levels, ruled out if they imply a level of the six that is ruled out, requested or not
     * @param sources sources that may order the versions of registers
     * @param algorithmOfReads name of the algorithm reported for anomalies of single reads
     */
    CycleDecision(
            ReadResolution reads,
            Set<IsolationLevel> levels,
            Set<IsolationLevel> above,
            Set<VersionSource> sources,
            String algorithmOfReads) {
        this(reads, levels, above, sources, algorithmOfReads, false, null);
    }

    /**
     * @param byPositions whether each dependency that goes back in the order of positions is one anomaly
     * @param known positions in the history that the log is a part of; null if it is whole
     */
    CycleDecision(
            ReadResolution reads,
            Set<IsolationLevel> levels,
            Set<IsolationLevel> above,
            Set<VersionSource> sources,
            String algorithmOfReads,
            boolean byPositions,
            DependencyChecker.@Nullable KnownPositions known) {
        this.known = known;
        this.byPositions = byPositions;
        this.algorithmOfReads = algorithmOfReads;
        this.reads = reads;
        this.levels = levels;
        this.above = above;
        this.sources = sources;
    }

    /** Returns the same decision of some of its levels, after {@link #check}. */
    CycleDecision of(Set<IsolationLevel> some) {
        CycleDecision same = new CycleDecision(reads, some, above, sources, algorithmOfReads, byPositions, known);
        same.answer = answer;
        return same;
    }

    @SetsFields
    void check(StageListener watch, Budget budget) {
        try (StageListener.Work stage = watch.begin("check", -1, reads.log.txnCount)) {
            DependencyChecker.Options options = new DependencyChecker.Options(
                    sources,
                    LevelLattice.needsSessionOrder(levels),
                    LevelLattice.needsRealTime(levels),
                    byPositions,
                    known);
            answer = DependencyChecker.check(reads, options, budget);
            stage.found(answer.found().size());
        }
    }

    /** Returns whether the dependencies of all components that go back were counted. */
    boolean areCyclesCounted() {
        return answer.areCyclesCounted();
    }

    /** Returns the number of faulty reads and writes, by type found. */
    Map<Anomaly, Long> readFaults() {
        Map<Anomaly, Long> counts = new EnumMap<>(Anomaly.class);
        for (Anomaly anomaly : READ_FAULTS) {
            if (answer.count(anomaly) > 0) {
                counts.put(anomaly, answer.count(anomaly));
            }
        }
        return counts;
    }

    /** Anomalies that were found. */
    Set<Anomaly> found() {
        return answer.found();
    }

    /** Returns the levels that the anomalies found rule out, regardless of missed own writes. */
    Set<IsolationLevel> ruledOut() {
        Set<IsolationLevel> out = EnumSet.noneOf(IsolationLevel.class);
        for (IsolationLevel level : levels) {
            for (Anomaly anomaly : found()) {
                if (LevelLattice.rulesOut(anomaly, level)) {
                    out.add(level);
                }
            }
        }
        return out;
    }

    /**
     * Adds the anomalies found.
     *
     * @param known findings of other checks
     */
    void addTo(Findings findings, FindingDeduplicator known, int limit) {
        Set<IsolationLevel> reported = EnumSet.copyOf(levels);
        reported.addAll(above);
        if (byPositions) {
            known.countRepeated(); // one cycle may contain several dependencies that go back
        }
        known.keepNew(DependencyFindings.of(reads.log, answer, this, algorithmOfReads, limit));
        for (Anomaly anomaly : found()) {
            known.count(findings, anomaly, answer.count(anomaly), level -> count(anomaly, level), reported);
        }
    }

    /** Returns the number of anomalies of a type that rule a level out. */
    private long count(Anomaly anomaly, IsolationLevel level) {
        boolean isRuledOut =
                levels.contains(level) ? LevelLattice.rulesOut(anomaly, level) : rulesOutBelow(anomaly, level);
        if (!isRuledOut && anomaly == Anomaly.INTERNAL && isOfSix(level)) {
            return answer.missedOwnCount(); // not even the weakest of them allows that
        }
        return isRuledOut ? answer.count(anomaly) : 0;
    }

    private boolean isOfSix(IsolationLevel level) {
        return levels.contains(level) && IsolationLevel.all().contains(level);
    }

    private static boolean rulesOutBelow(Anomaly anomaly, IsolationLevel level) {
        for (IsolationLevel ofSix : IsolationLevel.all()) {
            if (LevelLattice.implies(level, ofSix) && LevelLattice.rulesOut(anomaly, ofSix)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public IsolationLevel weakestOfOwnWrite() {
        return levels.stream().filter(this::isOfSix).findFirst().orElseGet(() -> weakest(Anomaly.INTERNAL, false));
    }

    @Override
    public @Nullable IsolationLevel weakest(Anomaly anomaly, boolean isAssumed) {
        IsolationLevel weakest = LevelLattice.weakestRuledOut(anomaly, levels);
        for (IsolationLevel level : above) {
            if (weakest == null && rulesOutBelow(anomaly, level)) {
                weakest = level;
            }
        }
        return weakest;
    }

    /**
     * Returns the transactions of the log in an order that proves serializability; null if a cycle or a faulty read
     * exists, or a version order is unknown.
     */
    int @Nullable [] serialOrder() {
        boolean isProved = ruledOut().isEmpty() && doubt(IsolationLevel.SERIALIZABLE) == null;
        return isProved ? answer.serialOrder() : null;
    }

    /**
     * Returns the transactions of the log in an order that proves serializability although commit timestamps do not
     * order all versions; null if none exists, or nothing needs to be assumed.
     */
    int @Nullable [] assumedOrder() {
        int[] order = isFaultless() && answer.isOnlyUnordered() ? answer.serialOrder() : null;
        return order == null ? null : DependencyChecker.assumedOrder(reads, order);
    }

    private boolean isFaultless() {
        return ruledOut().isEmpty() && answer.missedOwnCount() == 0;
    }

    /** Returns whether only repeated values leave a level open: several transactions may have written them. */
    boolean isOpenForRepeatedValues() {
        return isFaultless() && answer.isAmbiguous();
    }

    /** Returns why commit timestamps are no order of versions, for lint; null if they are. */
    @Nullable
    String timestampDoubt() {
        int contradicted = answer.orders().contradictedKeys();
        if (contradicted > 0) {
            return "reads contradict the order of commit timestamps on " + CountFormat.of(contradicted, "key")
                    + ": a transaction replaced a version that commits later, or a list has another order;"
                    + " commit_ts is perhaps not the order of commits";
        }
        boolean isOpen = isFaultless() && answer.isOnlyUnordered();
        return isOpen
                ? "writers with one commit timestamp, or without any, leave the order of versions open on "
                        + CountFormat.of(answer.unorderedKeys(), "key")
                : null;
    }

    /** Returns why a level that nothing rules out is not proved by that; null if it is. */
    @Nullable
    String doubt(IsolationLevel level) {
        Set<Anomaly> open = EnumSet.noneOf(Anomaly.class);
        open.addAll(LevelLattice.forbiddenBy(level));
        open.retainAll(answer.unproved());
        if (!open.isEmpty()) {
            return answer.reason();
        }
        return LevelLattice.doubt(level);
    }
}
