package io.nightjar.pipeline.check.timestamp;

import java.util.Arrays;

/** Table of a line of eight longs for each key, so that an operation touches one line of the cache. */
final class KeyLines {

    /*
     * Layout. Keys lie in segments, which are never copied, except the first, which begins small:
     *
     *   segment(key)[at(key) .. at(key) + 8]
     */

    private static final int LINE_BITS = 3;
    private static final int KEYS_BITS = 14;
    private static final int KEYS_PER_SEGMENT = 1 << KEYS_BITS;
    private static final int KEYS_MASK = KEYS_PER_SEGMENT - 1;
    private static final int FIRST_KEYS = 32;
    private static final long BYTES_PER_KEY = 8L << LINE_BITS;

    private long[][] segments = {new long[FIRST_KEYS << LINE_BITS], null, null, null};
    private int firstKeys = FIRST_KEYS; // in the first segment, which grows
    private int keyCount;

    /** Allocates lines for a number of keys. */
    void expectKeys(int count) {
        if (count > firstKeys && firstKeys < KEYS_PER_SEGMENT) {
            firstKeys = Math.min(KEYS_PER_SEGMENT, Math.max(count, 4 * firstKeys));
            segments[0] = Arrays.copyOf(segments[0], firstKeys << LINE_BITS);
        }
        while (keyCount < count) {
            int segment = keyCount >>> KEYS_BITS;
            if (segment == segments.length) {
                segments = Arrays.copyOf(segments, segment * 2);
            }
            if (segments[segment] == null) {
                segments[segment] = new long[KEYS_PER_SEGMENT << LINE_BITS];
            }
            keyCount = Math.min(count, segment + 1 << KEYS_BITS);
        }
    }

    int keyCount() {
        return keyCount;
    }

    /** Returns the array that holds the line of a key. */
    long[] segment(int key) {
        return segments[key >>> KEYS_BITS];
    }

    /** Returns where the line of a key begins in its segment. */
    static int at(int key) {
        return (key & KEYS_MASK) << LINE_BITS;
    }

    long byteSize() {
        long furtherSegments = Math.max(0, keyCount - 1) >>> KEYS_BITS;
        return (firstKeys + furtherSegments * KEYS_PER_SEGMENT) * BYTES_PER_KEY;
    }
}
