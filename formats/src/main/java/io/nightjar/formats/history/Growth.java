package io.nightjar.formats.history;

/** Computes new array sizes: growth by half, at least to the required size, at most to the limit of Java arrays. */
final class Growth {

    private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

    private Growth() {}

    static int newCapacity(int capacity, int needed) {
        if (needed < 0) {
            throw new IllegalStateException("slice too large: needs more than 2^31 entries in one column");
        }
        long grown = Math.max(capacity + (capacity >> 1), 16L);
        return (int) Math.min(LARGEST_ARRAY, Math.max(grown, needed));
    }
}
