package io.nightjar.pipeline.check.timestamp;

import io.nightjar.formats.level.IsolationLevel;
import it.unimi.dsi.fastutil.longs.LongSet;
import it.unimi.dsi.fastutil.longs.LongSets;
import java.io.Serializable;
import java.util.HashSet;
import java.util.Map;

/**
 * Unknown transactions that count as committed, at each level that timestamps decide.
 *
 * @param countedAt ids of the promoted transactions, with or without timestamps
 * @param chosenAt ids of the transactions that are interchangeable, chosen or not
 * @param openChoicesAt how often the verdict depends on which of several possible writers committed
 * @param unjudged ids of unknown transactions whose keys are not checked, because it is unknown whether or when they
 *     committed
 * @param unplaceable how many transactions lack a timestamp or are unjudged
 */
public record PromotedTxns(
        Map<IsolationLevel, LongSet> countedAt,
        Map<IsolationLevel, LongSet> chosenAt,
        Map<IsolationLevel, Long> openChoicesAt,
        LongSet unjudged,
        long unplaceable)
        implements Serializable {

    public static final PromotedTxns NONE = new PromotedTxns(Map.of(), Map.of(), Map.of(), LongSets.EMPTY_SET, 0);

    public LongSet counted(IsolationLevel level) {
        return countedAt.getOrDefault(level, LongSets.EMPTY_SET);
    }

    public LongSet chosen(IsolationLevel level) {
        return chosenAt.getOrDefault(level, LongSets.EMPTY_SET);
    }

    /** Returns whether keys that a transaction wrote are not checked: it counts or may count, at an unknown time. */
    boolean isUnplaceable(long id, boolean isPlaced) {
        boolean isCounted = false;
        for (LongSet ids : countedAt.values()) {
            isCounted |= ids.contains(id);
        }
        return unjudged.contains(id) || isCounted && !isPlaced;
    }

    /** Returns whether every level counts the same transactions, and none of them was chosen among several. */
    public boolean isPlain() {
        return chosenAt.isEmpty() && new HashSet<>(countedAt.values()).size() <= 1;
    }

    /** Returns whether no unknown transaction matters. */
    public boolean isEmpty() {
        return isPlain()
                && unjudged.isEmpty()
                && (countedAt.isEmpty() || anyCounted().isEmpty());
    }

    /** Returns the transactions counted at any level. */
    LongSet anyCounted() {
        return countedAt.isEmpty()
                ? LongSets.EMPTY_SET
                : countedAt.values().iterator().next();
    }
}
