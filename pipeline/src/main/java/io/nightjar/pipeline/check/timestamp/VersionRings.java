package io.nightjar.pipeline.check.timestamp;

import java.util.Arrays;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Rings of the older versions of those keys that are written more often than transactions end, numbered from 1. */
final class VersionRings {

    private final long maxBytes;
    private OlderVersions[] rings = new OlderVersions[16];
    private int count;
    private long bytes;

    /** @param maxBytes memory limit of all rings */
    VersionRings(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    long byteSize() {
        return bytes;
    }

    /** Returns a ring by its number; null for 0. */
    @Nullable
    OlderVersions ring(long number) {
        return number == 0 ? null : rings[(int) number - 1];
    }

    /**
     * Adds a version to a ring; a key gets one with the first version that transactions may still read.
     *
     * @param number of the ring; 0 if the key has none
     * @param nextCommit commit of the next version
     * @param horizon no later row is expected to start before this time
     * @return twice the number of the ring, and one more if a version was dropped
     */
    long add(long number, long value, long commit, long nextCommit, long horizon) {
        OlderVersions ring = ring(number);
        long of = number;
        if (ring == null) {
            if (nextCommit <= horizon || bytes >= maxBytes) {
                return 1;
            }
            ring = newRing();
            of = count;
        }
        bytes -= ring.byteSize();
        boolean isDropped = ring.add(value, commit, horizon, bytes < maxBytes);
        bytes += ring.byteSize();
        return 2 * of + (isDropped ? 1 : 0);
    }

    private OlderVersions newRing() {
        if (count == rings.length) {
            rings = Arrays.copyOf(rings, count * 2);
        }
        OlderVersions ring = new OlderVersions();
        rings[count++] = ring;
        bytes += ring.byteSize();
        return ring;
    }

    /** Gives every value that is held another number. */
    void renumberValues(LongUnaryOperator renumber) {
        for (int ring = 0; ring < count; ring++) {
            rings[ring].renumberValues(renumber);
        }
    }
}
