package io.nightjar.formats.source;

/** Where random tests begin; {@code -Dnightjar.seed=} repeats one. */
public final class Seeds {

    private Seeds() {}

    /** The seed asked for, or the test's own. */
    public static long seed(long ofTest) {
        return Long.getLong("nightjar.seed", ofTest);
    }
}
