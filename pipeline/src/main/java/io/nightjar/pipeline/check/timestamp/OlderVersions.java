package io.nightjar.pipeline.check.timestamp;

import java.util.Arrays;
import java.util.function.LongUnaryOperator;

/** Versions of one key before its last three, oldest first: a ring that grows while transactions may still read them. */
final class OlderVersions {

    private static final int FIRST_VERSIONS = 4;
    private static final int MAX_VERSIONS = 1 << 12;
    private static final int HEADER_BYTES = 56;

    private long[] pairs = new long[2 * FIRST_VERSIONS]; // value, commit
    private int first;
    private int count;

    long byteSize() {
        return HEADER_BYTES + 8L * pairs.length;
    }

    /**
     * Appends the next version.
     *
     * @param horizon versions whose successor commits before this time may be dropped
     * @param mayGrow whether the memory limit allows more versions
     * @return whether one was dropped
     */
    boolean add(long value, long commit, long horizon, boolean mayGrow) {
        boolean isDropped = false;
        while (count >= 2 && commit(1) <= horizon || count == 1 && commit <= horizon) {
            dropOldest();
            isDropped = true;
        }
        if (count == capacity()) {
            if (mayGrow && capacity() < MAX_VERSIONS) {
                grow();
            } else {
                dropOldest();
                isDropped = true;
            }
        }
        int slot = slot(count);
        pairs[2 * slot] = value;
        pairs[2 * slot + 1] = commit;
        count++;
        return isDropped;
    }

    /** Returns the newest version that commits at or before a time, or -1. */
    int lastUpTo(long time) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = low + high >>> 1;
            if (commit(middle) <= time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }

    long value(int version) {
        return pairs[2 * slot(version)];
    }

    /** Returns the newest version with a value, or -1. */
    int lastOf(long value) {
        int version = count - 1;
        while (version >= 0 && value(version) != value) {
            version--;
        }
        return version;
    }

    int count() {
        return count;
    }

    long commit(int version) {
        return pairs[2 * slot(version) + 1];
    }

    private int capacity() {
        return pairs.length / 2;
    }

    private int slot(int version) {
        return first + version & capacity() - 1;
    }

    private void dropOldest() {
        first = slot(1);
        count--;
    }

    private void grow() {
        long[] larger = Arrays.copyOf(pairs, 2 * pairs.length);
        for (int version = 0; version < count; version++) {
            larger[2 * version] = value(version);
            larger[2 * version + 1] = commit(version);
        }
        pairs = larger;
        first = 0;
    }

    void renumberValues(LongUnaryOperator renumber) {
        for (int version = 0; version < count; version++) {
            int slot = slot(version);
            pairs[2 * slot] = renumber.applyAsLong(pairs[2 * slot]);
        }
    }
}
