package io.nightjar.pipeline.online;

import java.util.Arrays;

/**
 * The keys with open rows, each with a time that none of its rows precedes, so that a seal visits only keys that it
 * changes.
 */
final class OpenKeys {

    /*
     * Layout.
     *
     *   keyOf[position]   a key; in a free position, the complement of the next free position
     *   dueOf[position]   time that no open row of the key precedes
     */

    static final int NONE = -1;

    private static final long BYTES_OF_POSITION = Integer.BYTES + Long.BYTES;
    private static final int LAST_FREE = Integer.MAX_VALUE;

    private int[] keyOf = new int[64];
    private long[] dueOf = new long[64];
    private int end;
    private int firstFree = LAST_FREE;

    long byteSize() {
        return BYTES_OF_POSITION * keyOf.length;
    }

    /** Adds a key; returns its position. */
    int add(int key, long due) {
        int position = firstFree;
        if (position == LAST_FREE) {
            position = end++;
            if (position == keyOf.length) {
                keyOf = Arrays.copyOf(keyOf, position * 2);
                dueOf = Arrays.copyOf(dueOf, position * 2);
            }
        } else {
            firstFree = ~keyOf[position];
        }
        keyOf[position] = key;
        dueOf[position] = due;
        return position;
    }

    void remove(int position) {
        keyOf[position] = ~firstFree;
        firstFree = position;
    }

    /** Records a row at a time. */
    void recordRow(int position, long at) {
        if (at < dueOf[position]) {
            dueOf[position] = at;
        }
    }

    int key(int position) {
        return keyOf[position];
    }

    void setDue(int position, long due) {
        dueOf[position] = due;
    }

    /**
     * Finds positions, from the given position on, whose keys may have a row up to a time; returns their number, at
     * most that of the array.
     */
    int findDue(int from, long upTo, int[] positions) {
        int count = 0;
        for (int position = from; position < end && count < positions.length; position++) {
            if (dueOf[position] <= upTo && keyOf[position] >= 0) {
                positions[count++] = position;
            }
        }
        return count;
    }
}
