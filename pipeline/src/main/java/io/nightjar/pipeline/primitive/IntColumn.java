package io.nightjar.pipeline.primitive;

import java.util.Arrays;

/** A column of {@code int}s that grows at its end without copying its entries, once it exceeds its first segment. */
public final class IntColumn {

    /*
     * Entry i is segments[i >>> SEGMENT_BITS][i & SEGMENT_MASK]. The first segment grows by doubling, so that a small
     * column stays small; further ones are allocated whole. No array comes near the largest that Java allows.
     */

    public static final int SEGMENT_BITS = 17;
    public static final int SEGMENT_MASK = (1 << SEGMENT_BITS) - 1;

    private static final int SEGMENT_SIZE = 1 << SEGMENT_BITS;
    private static final int FIRST_CAPACITY = 64;

    private int[][] segments = {new int[FIRST_CAPACITY]};
    private int size;

    public int size() {
        return size;
    }

    /** Bytes held. */
    public long byteSize() {
        return size <= SEGMENT_SIZE
                ? (long) segments[0].length * 4
                : ((long) (size + SEGMENT_MASK) >>> SEGMENT_BITS << SEGMENT_BITS) * 4;
    }

    public int get(int index) {
        return segments[index >>> SEGMENT_BITS][index & SEGMENT_MASK];
    }

    public void set(int index, int value) {
        segments[index >>> SEGMENT_BITS][index & SEGMENT_MASK] = value;
    }

    public void add(int value) {
        int offset = size & SEGMENT_MASK;
        if (offset == 0 && size > 0 || size < SEGMENT_SIZE && size == segments[0].length) {
            ensureCapacity();
        }
        segments[size >>> SEGMENT_BITS][offset] = value;
        size++;
    }

    /** Removes all entries and retains the capacity. */
    public void clear() {
        size = 0;
    }

    /** Appends {@code length} entries of an array. */
    public void addAll(int[] from, int first, int length) {
        int done = 0;
        while (done < length) {
            int offset = size & SEGMENT_MASK;
            if (offset == 0 && size > 0 || size < SEGMENT_SIZE && size == segments[0].length) {
                ensureCapacity();
            }
            int[] segment = segments[size >>> SEGMENT_BITS];
            int fits = Math.min(length - done, segment.length - offset);
            System.arraycopy(from, first + done, segment, offset, fits);
            size += fits;
            done += fits;
        }
    }

    /** Appends all entries of another column. */
    public void addAll(IntColumn from) {
        for (int first = 0; first < from.size; first += SEGMENT_SIZE) {
            addAll(from.segments[first >>> SEGMENT_BITS], 0, Math.min(SEGMENT_SIZE, from.size - first));
        }
    }

    /** Returns the entries as one array. */
    public int[] toArray() {
        int[] array = new int[size];
        for (int first = 0; first < size; first += SEGMENT_SIZE) {
            System.arraycopy(segments[first >>> SEGMENT_BITS], 0, array, first, Math.min(SEGMENT_SIZE, size - first));
        }
        return array;
    }

    /** Returns the arrays of the column, for loops that run once for each entry. */
    public int[][] segments() {
        return segments;
    }

    private void ensureCapacity() {
        if (size < SEGMENT_SIZE) {
            segments[0] = Arrays.copyOf(segments[0], Math.min(SEGMENT_SIZE, 4 * size));
            return;
        }
        if (size > Integer.MAX_VALUE - SEGMENT_SIZE) {
            throw new IllegalStateException("column full: size=" + size);
        }
        int segment = size >>> SEGMENT_BITS;
        if (segment == segments.length) {
            segments = Arrays.copyOf(segments, Math.max(16, segment * 2));
        }
        segments[segment] = new int[SEGMENT_SIZE];
    }
}
