package io.nightjar.formats.history;

/**
 * A list read packed into one long: the first {@code length} elements of a list in a slice's {@link ListPool}.
 *
 * <pre>
 *   63              32 31               0
 *   +-----------------+-----------------+
 *   |      list       |     length      |
 *   +-----------------+-----------------+
 * </pre>
 *
 * Reads of one key are nearly always prefixes of its longest read, so a read requires eight bytes independent of its
 * length.
 */
public final class ListRef {

    private ListRef() {}

    public static long of(int list, int length) {
        return ((long) list << 32) | length;
    }

    public static int list(long ref) {
        return (int) (ref >>> 32);
    }

    public static int length(long ref) {
        return (int) ref;
    }
}
