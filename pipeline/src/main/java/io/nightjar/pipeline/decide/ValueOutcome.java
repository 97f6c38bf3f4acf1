package io.nightjar.pipeline.decide;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.ElleRuledOutLevels;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import io.nightjar.pipeline.check.Findings;
import io.nightjar.pipeline.infer.SharedVersion;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Outcome of a decision by values on a history or on some groups of its sessions, as plain data.
 *
 * @param groupCount number of groups, decided separately
 * @param findings with their counts
 * @param doubts undecided reasons of the requested levels that nothing rules out, if any
 * @param components components searched, in any order
 */
public record ValueOutcome(
        int groupCount,
        long keyCount,
        Findings findings,
        Basis basis,
        Refuted refuted,
        Map<IsolationLevel, Doubt> doubts,
        List<ComponentRow> components,
        Orders orders) {

    /**
     * Evidence for the outcome.
     *
     * @param trustsVersions whether version numbers of the source were used as the order of versions
     * @param shared a version that two transactions wrote, so that versions were no evidence; null if none
     * @param promoted unknown transactions that count as committed
     * @param hasObservedCycle whether dependencies that clients observed have a cycle, even if timestamps are wrong
     * @param timestampDoubt why commit timestamps are no order of versions, for lint; null if they are
     * @param byTimestamps levels that cycles decided in an order of versions that includes commit timestamps
     */
    public record Basis(
            boolean trustsVersions,
            @Nullable SharedVersion shared,
            LongSet promoted,
            boolean hasObservedCycle,
            @Nullable String timestampDoubt,
            Set<IsolationLevel> byTimestamps) {

        public Basis(boolean trustsVersions, @Nullable SharedVersion shared, LongSet promoted) {
            this(trustsVersions, shared, promoted, false, null, Set.of());
        }
    }

    /**
     * Evidence that rules levels out.
     *
     * @param cycles anomalies found by a search for cycles; null if none was needed
     * @param levels levels ruled out by other evidence than cycles, each with its anomalies
     * @param withoutSessions levels of the six that are violated even with a separate session for each transaction, in
     *     the same form
     * @param readFaults reads and writes at fault, counted by type
     */
    public record Refuted(
            @Nullable Set<Anomaly> cycles,
            Map<IsolationLevel, Set<Anomaly>> levels,
            Map<IsolationLevel, Set<Anomaly>> withoutSessions,
            Map<Anomaly, Long> readFaults) {

        /** Nothing, and no search for cycles. */
        public static final Refuted NOTHING = new Refuted(null, Map.of(), Map.of(), Map.of());
    }

    /**
     * Orders that explain every read of a group: at most one for each group at one of the six levels, and one at a
     * level without session order if that had to be searched.
     *
     * @param areChecked whether the orders used as proofs were replayed
     * @param keepRealTime whether the order of all transactions keeps the clients' times; false too if that is not asked
     */
    public record Orders(List<Witness> witnesses, boolean areChecked, boolean keepRealTime) {

        public Orders(List<Witness> witnesses, boolean areChecked) {
            this(witnesses, areChecked, false);
        }
    }

    /**
     * Why groups leave a level undecided.
     *
     * @param reason that of the group with the smallest transaction id
     * @param smallestTxnId of the groups in doubt
     * @param groupCount how many they are
     */
    public record Doubt(String reason, long smallestTxnId, int groupCount) {

        Doubt and(Doubt other) {
            boolean isFirst = smallestTxnId <= other.smallestTxnId;
            return new Doubt(
                    isFirst ? reason : other.reason,
                    Math.min(smallestTxnId, other.smallestTxnId),
                    groupCount + other.groupCount);
        }
    }

    public ValueOutcome withWitnessChecked(boolean isChecked) {
        return new ValueOutcome(
                groupCount,
                keyCount,
                findings,
                basis,
                refuted,
                doubts,
                components,
                new Orders(orders.witnesses(), isChecked, orders.keepRealTime()));
    }

    /** Returns this outcome, with the levels that hold in another outcome of the same group, and its orders. */
    public ValueOutcome orHeldIn(ValueOutcome other) {
        Map<IsolationLevel, Doubt> left = new EnumMap<>(IsolationLevel.class);
        doubts.forEach((level, doubt) -> {
            if (other.doubts.containsKey(level) || !other.findings.counts(level).isEmpty()) {
                left.put(level, doubt);
            } else {
                findings.countWhole(level);
            }
        });
        return left.size() == doubts.size()
                ? this
                : new ValueOutcome(groupCount, keyCount, findings, basis, refuted, left, components, other.orders);
    }

    /** Returns this outcome, with the levels that another outcome of the same group violates, and its findings. */
    public ValueOutcome orViolatedIn(ValueOutcome other) {
        Map<IsolationLevel, Doubt> left = new EnumMap<>(doubts);
        Set<IsolationLevel> violated = other.findings.countedLevels();
        findings.mergeOnly(violated, other.findings);
        for (IsolationLevel level : doubts.keySet()) {
            for (IsolationLevel weaker : violated) {
                if (level != weaker && findings.counts(level).isEmpty() && LevelLattice.implies(level, weaker)) {
                    other.findings.counts(weaker).forEach((type, count) -> findings.count(level, type, count));
                }
            }
            if (!findings.counts(level).isEmpty()) {
                left.remove(level);
            }
        }
        return new ValueOutcome(groupCount, keyCount, findings, basis, refuted, left, components, orders);
    }

    /** Returns the undecided reason of a level that nothing rules out; null if it holds. */
    public @Nullable String doubt(IsolationLevel level) {
        Doubt doubt = doubts.get(level);
        if (doubt == null || groupCount == 1) {
            return doubt == null ? null : doubt.reason();
        }
        return doubt.reason() + "; " + doubt.groupCount() + " of " + groupCount + " groups are undecided";
    }

    /** Returns the verdicts of anomalies on Elle's levels; null if anomalies were not searched. */
    public @Nullable ElleRuledOutLevels ruledOut() {
        return refuted.cycles() == null
                ? null
                : LevelLattice.ruledOut(refuted.cycles(), refuted.levels(), refuted.withoutSessions());
    }

    /** Returns the components by descending size, which determines their ids. */
    public List<ComponentRow> componentsInOrder() {
        return components.stream().sorted(ComponentRow.LARGEST_FIRST).toList();
    }

    /** Returns whether an order at one of the six levels was found for every group. */
    public boolean hasWitness() {
        return groupCount > 0 && ofSix().size() == groupCount;
    }

    /** Returns the order of the whole history at one of the six levels; null if some group has none. */
    public @Nullable Witness witness() {
        return hasWitness() ? Witness.concatenated(ofSix()) : null;
    }

    private List<Witness> ofSix() {
        return orders.witnesses().stream()
                .filter(witness -> IsolationLevel.all().contains(witness.level()))
                .toList();
    }

    /**
     * An order to be replayed.
     *
     * @param isWhole whether it places all transactions that committed
     */
    public record Replay(Witness witness, boolean isWhole) {}

    /**
     * Returns the replays required before an order may be used as a proof.
     *
     * <p>The six levels need an order of every group. Other levels may hold in one group by a theorem and in the next
     * because a separate order proves a stronger level, so that the orders are replayed at just the levels that they
     * prove.
     *
     * @param levels levels that values decide
     */
    public List<Replay> toReplay(Set<IsolationLevel> levels) {
        if (IsolationLevel.all().containsAll(levels)) {
            Witness whole = hasWitness() ? witness() : null;
            return whole == null ? List.of() : List.of(new Replay(whole, true));
        }
        Map<IsolationLevel, List<Witness>> byLevel = new EnumMap<>(IsolationLevel.class);
        for (Witness witness : orders.witnesses()) {
            byLevel.computeIfAbsent(witness.level(), unseen -> new ArrayList<>())
                    .add(witness);
        }
        return byLevel.values().stream()
                .map(some -> new Replay(Witness.concatenated(some), some.size() == groupCount))
                .toList();
    }

    /** Returns the union; null if neither is known. */
    public static @Nullable Set<Anomaly> unionOf(@Nullable Set<Anomaly> some, @Nullable Set<Anomaly> others) {
        if (some == null || others == null) {
            return some == null ? others : some;
        }
        Set<Anomaly> all = EnumSet.noneOf(Anomaly.class);
        all.addAll(some);
        all.addAll(others);
        return all;
    }
}
