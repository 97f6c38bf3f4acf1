package io.nightjar.datasets.random;

/** A sequence of random numbers that depends on its seed alone. Not thread-safe. */
public final class SeededRandom {

    /*
     * SplitMix64: a counter with an uneven step, scrambled by two rounds of multiply and shift. Every 64-bit number
     * occurs once in a period of 2^64. Written out here because the JDK's generators do not promise the same sequence
     * in every release.
     */

    private static final long STEP = 0x9E3779B97F4A7C15L;

    private long counter;

    public SeededRandom(long seed) {
        this.counter = seed;
    }

    /** Returns 64 random bits. */
    public long next() {
        counter += STEP;
        long bits = counter;
        bits = (bits ^ (bits >>> 30)) * 0xBF58476D1CE4E5B9L;
        bits = (bits ^ (bits >>> 27)) * 0x94D049BB133111EBL;
        return bits ^ (bits >>> 31);
    }

    /** Returns a number from 0 to {@code bound - 1}. */
    public int below(int bound) {
        return scale(next(), bound);
    }

    /** Returns a number from 0 to {@code bound - 1}. */
    public long below(long bound) {
        return Math.multiplyHigh(next() >>> 1, bound << 1);
    }

    /** Returns a number of at least 0 and less than 1. */
    public double fraction() {
        return (next() >>> 11) * 0x1.0p-53;
    }

    /** Returns the upper half of random bits, as a number from 0 to {@code bound - 1}; the lower half stays unused. */
    public static int scale(long bits, int bound) {
        return (int) (((bits >>> 32) * bound) >>> 32);
    }
}
