package io.nightjar.pipeline.check.timestamp;

import io.nightjar.formats.level.IsolationLevel;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.EnumMap;
import java.util.Map;

/**
 * Resolver of unknown transactions: which of them count as committed, given the {@link OutcomeEvidence} of all lanes.
 */
final class OutcomeResolver {

    /*
     * Definitions. Every unknown transaction is IN, OUT or OPEN (UnknownStates). A statement about positions
     * (ReadConstraint) names the transactions that could explain a read.
     *
     * Algorithm. For each level (LevelResolution):
     *
     *   1. A transaction required by value is IN; so are the writers that IN transactions read from (UnknownRelations).
     *   2. Statements are propagated until nothing changes. If no IN transaction explains a read, and only one OPEN
     *      transaction could, the read requires it. A transaction that would hide every explanation of a read is OUT.
     *   3. If several could explain a read, connected transactions are tried in every combination (MinimalPromotions).
     *      Only the smallest sets that explain all reads count. If all of them are free of conflicts, or none is, any of
     *      them is used; otherwise the choice is open, and a set without a conflict is used, so that any anomaly found in
     *      spite of it exists with every choice.
     *   4. A read that no choice explains is wrong; the writer of its value counts nevertheless, so that the finding can
     *      name it.
     *
     * An OPEN transaction that neither contradicts nor explains a read is OUT.
     *
     * Invariant. Step 2 runs in rounds: the consequences of the state at the beginning of a round are applied at its
     * end, IN before OUT. So the outcome does not depend on the order in which lanes were observed, even if reads
     * contradict each other.
     *
     * Cost. A statement is evaluated again only if one of its transactions changed. Combinations are bounded; beyond
     * the bound the keys concerned are not checked.
     */

    private final OutcomeEvidence reads;

    OutcomeResolver(OutcomeEvidence reads) {
        this.reads = reads;
    }

    PromotedTxns resolve(Iterable<IsolationLevel> levels) {
        Map<IsolationLevel, LongSet> counted = new EnumMap<>(IsolationLevel.class);
        Map<IsolationLevel, LongSet> chosen = new EnumMap<>(IsolationLevel.class);
        Map<IsolationLevel, Long> openChoices = new EnumMap<>(IsolationLevel.class);
        LongSet unjudged = new LongOpenHashSet();
        for (IsolationLevel level : levels) {
            LongArrayList words = reads.positionsOf.getOrDefault(level, new LongArrayList());
            LevelResolution ofLevel = new LevelResolution(reads, words, unjudged);
            ofLevel.run();
            counted.put(level, ofLevel.counted());
            if (!ofLevel.chosen().isEmpty()) {
                chosen.put(level, ofLevel.chosen());
            }
            if (ofLevel.openChoices() > 0) {
                openChoices.put(level, ofLevel.openChoices());
            }
        }
        LongSet unplaceable = new LongOpenHashSet(unjudged);
        for (LongSet ids : counted.values()) {
            ids.forEach(id -> {
                if (reads.withoutTimestamps.contains(id)) {
                    unplaceable.add(id);
                }
            });
        }
        return new PromotedTxns(counted, chosen, openChoices, unjudged, unplaceable.size());
    }
}
