package io.nightjar.pipeline.partition;

import io.nightjar.formats.history.StringPool;
import io.nightjar.pipeline.primitive.Mix;

/** Hash of a key, by which operations are routed to lanes and to their key ranges: the same in every slice. */
public final class KeyHash {

    /*
     *   63        52 51        40 39    36 35                                     0
     *                lane                   where the key lies in its lane, see KeyRange
     */

    private static final int LANE_SHIFT = 40;

    private KeyHash() {}

    /** Returns the lane of a key with a hash, among a number of lanes that is a power of two. */
    public static int lane(long hash, int laneCount) {
        return (int) (hash >>> LANE_SHIFT) & laneCount - 1;
    }

    /** Returns the hash of a key that is a number. */
    public static long of(long key) {
        return Mix.hash(key);
    }

    /** Returns the hash of a key that is a name. */
    public static long of(StringPool names, int name) {
        byte[] bytes = names.bytes();
        int first = names.firstByte(name);
        long hash = 0;
        for (int i = first; i < first + names.length(name); i++) {
            hash = hash * 31 + bytes[i];
        }
        return Mix.hash(hash);
    }
}
