package io.nightjar.pipeline.primitive;

import java.util.function.IntPredicate;

/** Binary search among numbers of which the last ones pass a test, and all before them fail. */
public final class BinarySearch {

    private BinarySearch() {}

    /** Returns the first number in {@code from .. to} that passes; {@code to} if none does. */
    public static int first(int from, int to, IntPredicate test) {
        int low = from;
        int high = to;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (test.test(middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
