package io.nightjar.pipeline.check;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import java.util.List;

/**
 * Proof that a history cannot satisfy a level, in ordinals of its {@code ClientHistory}.
 *
 * <p>The named transactions violate the level even if all others are removed from the history.
 *
 * @param level the weakest level that it rules out
 * @param algorithm name of the algorithm that found it, as in the table
 * @param txns all required transactions without duplicates, first the cycle in its order
 * @param steps a cycle, each step beginning where the previous step ends; empty if an exhaustive search found no order
 */
public record Contradiction(
        IsolationLevel level, Anomaly anomaly, String algorithm, List<Integer> txns, List<Step> steps) {

    public Contradiction {
        txns = List.copyOf(txns);
        steps = List.copyOf(steps);
    }

    /** Reason why one transaction precedes another. */
    public enum Rule {
        /** It is the earlier one in their session. */
        SESSION_ORDER,
        /** The later one read from it. */
        READ_FROM,
        /**
         * {@code because} read the key from the later one although it had seen the earlier one, which wrote the key
         * too: so the earlier one's version is the older.
         */
        OVERWRITTEN,
        /** The earlier transaction read the write of {@code because}, and the later one overwrote it. */
        OVERWRITES,
        /** Both write the key, and the later one cannot have committed before the earlier one took its snapshot. */
        NO_OVERLAP,
        /** Lists that were read show the order of the two versions. */
        VERSION_ORDER
    }

    /** Event of a transaction at an end of a step; levels without snapshots use commits only. */
    public enum Half {
        SNAPSHOT,
        COMMIT
    }

    /** No key or no transaction. */
    public static final int NONE = -1;

    /**
     * Precedence of one transaction over another.
     *
     * @param key the key that the rule applies to, or {@link #NONE}
     * @param because the transaction that the rule relies on, or {@link #NONE}; for {@link Rule#OVERWRITES} the writer
     *     of the version read, {@code ClientHistory.INITIAL} for the initial state
     */
    public record Step(int from, Half fromHalf, int to, Half toHalf, Rule rule, int key, int because) {

        /** Returns a step between transactions as wholes. */
        public static Step of(int from, int to, Rule rule, int key, int because) {
            return new Step(from, Half.COMMIT, to, Half.COMMIT, rule, key, because);
        }
    }
}
