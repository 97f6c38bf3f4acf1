package io.nightjar.pipeline.infer;

import io.nightjar.formats.history.ListPool;
import org.jspecify.annotations.Nullable;

/** Values of list reads: a length if they agree with the longest read of their key, the elements otherwise. */
public final class ListReads {

    /*
     * Layout. For a list read, value[op] in the log is
     *
     *   length   (>= 0)   the given number of first elements of the key's trunk
     *   ~list    (< 0)    index in {@code nonPrefix} of a separate list, which is no prefix of the trunk
     *
     * The trunk is the longest list that a committed transaction read of the key.
     */

    long[][] trunkOf = new long[0][];
    int[] trunkLengthOf = new int[0];
    ListPool nonPrefix = new ListPool();

    /**
     * Returns the longest list that a committed transaction read of a key: the first {@link #trunkLength} entries; null
     * if none was read.
     */
    public long @Nullable [] trunk(int key) {
        return key < trunkOf.length ? trunkOf[key] : null;
    }

    public int trunkLength(int key) {
        return key < trunkOf.length ? trunkLengthOf[key] : 0;
    }

    public static boolean isPrefixOfTrunk(long value) {
        return value >= 0;
    }

    public int length(long value) {
        return value >= 0 ? (int) value : nonPrefix.length((int) ~value);
    }

    public long element(int key, long value, int position) {
        return value >= 0 ? trunkOf[key][position] : nonPrefix.element((int) ~value, position);
    }
}
