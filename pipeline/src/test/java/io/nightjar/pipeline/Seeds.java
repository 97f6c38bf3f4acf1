package io.nightjar.pipeline;

import java.util.stream.LongStream;

/** The seeds of random tests: a range, longer in a campaign, or the one given by {@code -Dnightjar.seed=}. */
public final class Seeds {

    private static final int SCALE = Integer.getInteger("nightjar.scale", 1);

    private Seeds() {}

    public static long[] upTo(int count) {
        Long given = Long.getLong("nightjar.seed");
        return given == null ? LongStream.rangeClosed(1, (long) count * SCALE).toArray() : new long[] {given};
    }
}
