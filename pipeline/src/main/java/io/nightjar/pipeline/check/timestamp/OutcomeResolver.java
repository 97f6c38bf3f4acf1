package io.nightjar.pipeline.check.timestamp;

import io.nightjar.formats.level.IsolationLevel;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.EnumMap;
import java.util.Map;

/** Says which unknown transactions count as committed, from what {@link OutcomeEvidence} gathered of all lanes. */
final class OutcomeResolver {

    /*
     * Every unknown transaction is IN, OUT or OPEN (UnknownStates). What follows is done for each level (LevelResolution):
     *
     *   1. Whatever is needed by value is IN; so is what those read that are IN (UnknownRelations).
     *   2. Statements about places (ReadConstraint) are looked at until nothing changes: a read that nothing IN explains, and
     *      of the OPEN ones only one could, needs it; what would hide every explanation of a read is OUT.
     *   3. Where several could explain a read, the transactions that hang together are tried in every combination
     *      (MinimalPromotions). Only the smallest sets count that explain all reads. If all of them are free of conflicts, or
     *      none is, any one will do; otherwise the choice is open, and one without a conflict is taken, so that whatever is
     *      found in spite of it is wrong with every choice.
     *   4. A read that no choice explains is wrong; who wrote its value counts all the same, so that it can be told.
     *
     * An OPEN transaction that is not in the way and explains nothing is left out. Step 2 goes in rounds: what follows
     * from the state at the beginning of a round is settled at its end, IN before OUT. So the outcome does not depend on
     * the order in which lanes were observed, even where reads contradict each other.
     *
     * Cost: statements are looked at again only when one of their transactions changes; combinations are bounded, and
     * beyond that the keys concerned are not judged.
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
            LongArrayList words = reads.placesOf.getOrDefault(level, new LongArrayList());
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
