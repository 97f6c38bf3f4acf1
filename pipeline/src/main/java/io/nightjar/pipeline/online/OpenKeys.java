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
     *   keyOf[place]   a key; in a free place, the complement of the next free place
     *   dueOf[place]   time that no open row of the key precedes
     */

    static final int NONE = -1;

    private static final long BYTES_OF_PLACE = Integer.BYTES + Long.BYTES;
    private static final int LAST_FREE = Integer.MAX_VALUE;

    private int[] keyOf = new int[64];
    private long[] dueOf = new long[64];
    private int end;
    private int firstFree = LAST_FREE;

    long byteSize() {
        return BYTES_OF_PLACE * keyOf.length;
    }

    /** Adds a key; returns its place. */
    int add(int key, long due) {
        int place = firstFree;
        if (place == LAST_FREE) {
            place = end++;
            if (place == keyOf.length) {
                keyOf = Arrays.copyOf(keyOf, place * 2);
                dueOf = Arrays.copyOf(dueOf, place * 2);
            }
        } else {
            firstFree = ~keyOf[place];
        }
        keyOf[place] = key;
        dueOf[place] = due;
        return place;
    }

    void remove(int place) {
        keyOf[place] = ~firstFree;
        firstFree = place;
    }

    /** Records a row at a time. */
    void noteRow(int place, long at) {
        if (at < dueOf[place]) {
            dueOf[place] = at;
        }
    }

    int key(int place) {
        return keyOf[place];
    }

    void setDue(int place, long due) {
        dueOf[place] = due;
    }

    /**
     * Finds places from the given one on whose keys may have a row up to a time; returns their number, at most that of
     * the array.
     */
    int findDue(int from, long upTo, int[] places) {
        int count = 0;
        for (int place = from; place < end && count < places.length; place++) {
            if (dueOf[place] <= upTo && keyOf[place] >= 0) {
                places[count++] = place;
            }
        }
        return count;
    }
}
