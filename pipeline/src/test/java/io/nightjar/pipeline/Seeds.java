package io.nightjar.pipeline;

import java.util.stream.LongStream;

/** The seeds of random tests: a range, or the one given by {@code -Dnightjar.seed=}. */
public final class Seeds {

    private Seeds() {}

    public static long[] upTo(int count) {
        Long given = Long.getLong("nightjar.seed");
        return given == null ? LongStream.rangeClosed(1, count).toArray() : new long[] {given};
    }
}
