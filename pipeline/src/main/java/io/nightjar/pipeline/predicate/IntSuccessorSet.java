package io.nightjar.pipeline.predicate;

/** A set of small numbers that finds the next one in it in a few steps, however far away it is. */
final class IntSuccessorSet {

    /*
     * Words of 64 bits; above each level a level that has a bit for each word that is not empty, up to one word.
     */

    private final long[][] levels;

    IntSuccessorSet(int size) {
        int depth = 1;
        for (int words = words(size); words > 1; words = words(words)) {
            depth++;
        }
        levels = new long[depth][];
        int bits = size;
        for (int level = 0; level < depth; level++) {
            bits = words(bits);
            levels[level] = new long[bits];
        }
    }

    private static int words(int bits) {
        return Math.max(1, (bits + 63) >>> 6);
    }

    void add(int number) {
        int at = number;
        for (long[] level : levels) {
            boolean wasEmpty = level[at >>> 6] == 0;
            level[at >>> 6] |= 1L << at;
            if (!wasEmpty) {
                return;
            }
            at >>>= 6;
        }
    }

    void remove(int number) {
        int at = number;
        for (long[] level : levels) {
            level[at >>> 6] &= ~(1L << at);
            if (level[at >>> 6] != 0) {
                return;
            }
            at >>>= 6;
        }
    }

    /** Returns the smallest number in the set that is at least {@code from}; -1 if none is. */
    int next(int from) {
        int at = from;
        for (int level = 0; level < levels.length; level++) {
            int word = at >>> 6;
            if (word >= levels[level].length) {
                return -1;
            }
            long rest = levels[level][word] & -1L << at;
            if (rest != 0) {
                return descend(level, (word << 6) + Long.numberOfTrailingZeros(rest));
            }
            at = word + 1;
        }
        return -1;
    }

    private int descend(int from, int number) {
        int at = number;
        for (int level = from - 1; level >= 0; level--) {
            at = (at << 6) + Long.numberOfTrailingZeros(levels[level][at]);
        }
        return at;
    }
}
