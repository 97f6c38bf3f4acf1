package io.nightjar.pipeline.partition;

/**
 * A subset of the keys of a lane: keys whose hash is in a range, by bits that are independent of the lane.
 *
 * @param from the first hash
 * @param to the hash after the last
 */
public record KeyRange(long from, long to) {

    private static final int BITS = 36;

    /** All keys. */
    public static final KeyRange ALL = new KeyRange(0, 1L << BITS);

    /** Returns where a key lies. */
    public static long positionOf(long keyHash) {
        return keyHash & ((1L << BITS) - 1);
    }

    public boolean contains(long position) {
        return position >= from && position < to;
    }

    public long width() {
        return to - from;
    }
}
