package io.nightjar.pipeline.check;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import java.util.List;

/**
 * Why a history cannot satisfy a level, in ordinals of its {@code ClientHistory}.
 *
 * <p>The transactions named here violate the level already when everything else is left out of the history.
 *
 * @param level the weakest level that it rules out
 * @param algorithm what found it, as the table spells it
 * @param txns every transaction that is needed, those of the cycle first and in its order, each once
 * @param steps a cycle, each step beginning where the one before ends; empty if search found that no order is left
 */
public record Contradiction(
        IsolationLevel level, Anomaly anomaly, String algorithm, List<Integer> txns, List<Step> steps) {

    public Contradiction {
        txns = List.copyOf(txns);
        steps = List.copyOf(steps);
    }

    /** How it is known that one transaction comes before another. */
    public enum Rule {
        /** It is the earlier one in their session. */
        SESSION_ORDER,
        /** The later one read from it. */
        READ_FROM,
        /**
         * {@code because} read the key from the later one although it had seen the earlier one, which wrote the key too:
         * so the earlier one's version is the older.
         */
        OVERWRITTEN,
        /** The earlier one read what {@code because} wrote, and the later one overwrote it. */
        OVERWRITES,
        /** Both write the key, and the later one cannot have committed before the earlier one took its snapshot. */
        NO_OVERLAP,
        /** Lists that were read show the order of the two versions. */
        VERSION_ORDER
    }

    /** Which part of a transaction a step begins or ends at; levels without snapshots know commits only. */
    public enum Half {
        SNAPSHOT,
        COMMIT
    }

    /** There is no such key or transaction. */
    public static final int NONE = -1;

    /**
     * One comes before the other.
     *
     * @param key what the rule is about, or {@link #NONE}
     * @param because the transaction through which it is known, or {@link #NONE}; for {@link Rule#OVERWRITES} the writer
     *     of what was read, {@code ClientHistory.INITIAL} for the initial state
     */
    public record Step(int from, Half fromHalf, int to, Half toHalf, Rule rule, int key, int because) {

        /** A step between transactions as wholes. */
        public static Step of(int from, int to, Rule rule, int key, int because) {
            return new Step(from, Half.COMMIT, to, Half.COMMIT, rule, key, because);
        }
    }
}
