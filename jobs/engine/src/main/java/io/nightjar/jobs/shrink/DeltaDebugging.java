package io.nightjar.jobs.shrink;

import java.io.IOException;
import java.util.BitSet;

/**
 * Removes as many elements as possible: halves first, then smaller and smaller pieces, until no element can be removed.
 */
final class DeltaDebugging {

    private DeltaDebugging() {}

    /** Tests whether the remaining elements still have the property, and whether time is left to continue. */
    interface Trial {

        boolean works(BitSet kept) throws IOException;

        boolean mayContinue();
    }

    /** Returns the elements that stay, of the given number, which must fit together. */
    static BitSet minimise(int count, Trial trial) throws IOException {
        BitSet kept = new BitSet(count);
        kept.set(0, count);
        int size = Math.max(1, kept.cardinality() / 2);
        while (true) {
            boolean isSmaller = false;
            int next = kept.nextSetBit(0);
            while (next >= 0) {
                if (!trial.mayContinue()) {
                    return kept;
                }
                BitSet fewer = (BitSet) kept.clone();
                int end = next;
                for (int left = size; left > 0 && end >= 0; left--) {
                    fewer.clear(end);
                    end = kept.nextSetBit(end + 1);
                }
                if (trial.works(fewer)) {
                    kept = fewer;
                    isSmaller = true;
                }
                next = end;
            }
            if (size == 1 && !isSmaller) {
                return kept;
            }
            size = isSmaller && size == 1 ? 1 : Math.max(1, Math.min(size / 2, kept.cardinality() / 2));
        }
    }
}
