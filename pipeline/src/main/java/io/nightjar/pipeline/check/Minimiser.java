package io.nightjar.pipeline.check;

import java.util.Arrays;

/** Reduction of a set of transactions that violates a level to a small subset that still does. */
public final class Minimiser {

    /*
     * Algorithm. Delta debugging with chunks that halve: each chunk of the remaining transactions is removed if the
     * others still violate the level. Fewer transactions mean fewer constraints, so a chunk that was needed once stays
     * needed: one pass through the chunks of each size is enough, and after chunks of one transaction none can be
     * removed.
     *
     * Invariant. The retained transactions violate the level at every moment, so the budget may end at any point.
     *
     * Cost. If k transactions remain, at most 2 k chunks are tried for each size, k log(n / k) in all.
     *
     * Source. Zeller and Hildebrandt, Simplifying and Isolating Failure-Inducing Input (TSE 2002)
     */

    private Minimiser() {}

    /**
     * @param txns ascending, and known to violate the level together
     * @param stillViolates whether some of them, ascending, violate it alone; false also when that cannot be decided
     * @return the required transactions, ascending; a superset if the budget ends early
     */
    public static int[] minimise(int[] txns, IntArrayPredicate stillViolates, Budget budget) {
        int[] kept = txns;
        for (int chunk = Integer.highestOneBit(Math.max(1, txns.length / 2)); chunk >= 1; chunk /= 2) {
            int end = kept.length;
            while (end > 0) {
                if (budget.isSpent()) {
                    return kept;
                }
                int first = Math.max(0, end - chunk);
                int[] rest = without(kept, first, end);
                if (rest.length > 0 && stillViolates.test(rest)) {
                    kept = rest;
                }
                end = first;
            }
        }
        return kept;
    }

    private static int[] without(int[] txns, int first, int end) {
        int[] rest = Arrays.copyOf(txns, txns.length - (end - first));
        System.arraycopy(txns, end, rest, first, txns.length - end);
        return rest;
    }
}
