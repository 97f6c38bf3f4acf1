package io.nightjar.pipeline.decide;

import io.nightjar.formats.level.Verdict;
import java.util.Comparator;

/**
 * A component that was searched: a row of the components table without its id, which is its index among all of the run.
 *
 * @param smallestTxnId distinguishes components of one size
 */
public record ComponentRow(
        int sessionCount,
        int txnCount,
        int keyCount,
        Verdict verdict,
        long searchStates,
        double seconds,
        long smallestTxnId) {

    /** The largest first. */
    public static final Comparator<ComponentRow> LARGEST_FIRST = Comparator.comparingInt(ComponentRow::txnCount)
            .reversed()
            .thenComparingLong(ComponentRow::smallestTxnId)
            .thenComparing(Comparator.comparingInt(ComponentRow::keyCount).reversed())
            .thenComparing(Comparator.comparingInt(ComponentRow::sessionCount).reversed());
}
