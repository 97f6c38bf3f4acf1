package io.nightjar.pipeline.decide;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import io.nightjar.formats.level.RuledOut;
import io.nightjar.pipeline.check.Findings;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What values say of a history or of some groups of its sessions, as plain data.
 *
 * @param groupCount how many groups were decided, each for itself
 * @param findings with their counts
 * @param trustsVersions whether version numbers of the source were taken for the order of versions
 * @param promoted unknown transactions that count as committed
 * @param cycles what a search for cycles found; null if none was needed
 * @param refuted levels that do not hold in ways that cycles do not know, each with what was found at it
 * @param refutedWithoutSessions those of the six that do not even hold with a session for each transaction, in the same way
 * @param readFaults reads and writes at fault, counted by type
 * @param doubts why a level asked for that nothing rules out does not hold either, where there is such a reason
 * @param components those that were searched, in any order
 * @param witnesses orders that explain every read of a group: one for each group at one of the six levels, if there is one,
 *     and one at a level without session order if that had to be searched
 * @param isWitnessChecked whether the witnesses that are relied on were replayed
 */
public record ValueOutcome(
        int groupCount,
        Findings findings,
        long keyCount,
        boolean trustsVersions,
        LongSet promoted,
        @Nullable Set<Anomaly> cycles,
        Map<IsolationLevel, Set<Anomaly>> refuted,
        Map<IsolationLevel, Set<Anomaly>> refutedWithoutSessions,
        Map<Anomaly, Long> readFaults,
        Map<IsolationLevel, Doubt> doubts,
        List<ComponentRow> components,
        List<Witness> witnesses,
        boolean isWitnessChecked) {

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
                findings,
                keyCount,
                trustsVersions,
                promoted,
                cycles,
                refuted,
                refutedWithoutSessions,
                readFaults,
                doubts,
                components,
                witnesses,
                isChecked);
    }

    /** Why a level that nothing rules out does not hold either; null if there is no doubt. */
    public @Nullable String doubt(IsolationLevel level) {
        Doubt doubt = doubts.get(level);
        if (doubt == null || groupCount == 1) {
            return doubt == null ? null : doubt.reason();
        }
        return doubt.reason() + "; groups undecided: " + doubt.groupCount() + " of " + groupCount;
    }

    /** What anomalies say about Elle's levels; null if they were not looked for. */
    public @Nullable RuledOut ruledOut() {
        return cycles == null ? null : LevelLattice.ruledOut(cycles, refuted, refutedWithoutSessions);
    }

    /** The largest first, which gives them their ids. */
    public List<ComponentRow> componentsInOrder() {
        return components.stream().sorted(ComponentRow.LARGEST_FIRST).toList();
    }

    /** Whether an order at one of the six levels was found for every group. */
    public boolean hasWitness() {
        return groupCount > 0 && ofSix().size() == groupCount;
    }

    /** The order of the whole history at one of the six levels; null if some group has none. */
    public @Nullable Witness witness() {
        return hasWitness() ? Witness.concatenated(ofSix()) : null;
    }

    private List<Witness> ofSix() {
        return witnesses.stream()
                .filter(witness -> IsolationLevel.all().contains(witness.level()))
                .toList();
    }

    /**
     * An order to be replayed.
     *
     * @param isWhole whether it places all transactions that committed
     */
    public record Replay(@Nullable Witness witness, boolean isWhole) {}

    /**
     * What has to be replayed before anything may rest on it.
     *
     * <p>The six levels need an order of every group. Other levels may hold in one group by a theorem and in the next because an
     * order of its own proves a stronger level, so that the orders are replayed at just the levels that they prove.
     *
     * @param levels those that values decide
     */
    public List<Replay> toReplay(Set<IsolationLevel> levels) {
        if (IsolationLevel.all().containsAll(levels)) {
            return hasWitness() ? List.of(new Replay(witness(), true)) : List.of();
        }
        Map<IsolationLevel, List<Witness>> byLevel = new EnumMap<>(IsolationLevel.class);
        for (Witness witness : witnesses) {
            byLevel.computeIfAbsent(witness.level(), unseen -> new ArrayList<>())
                    .add(witness);
        }
        return byLevel.values().stream()
                .map(some -> new Replay(Witness.concatenated(some), some.size() == groupCount))
                .toList();
    }

    /** Those of both; null if neither is known. */
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
