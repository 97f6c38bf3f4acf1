package io.nightjar.pipeline.primitive;

import java.util.Arrays;

/** A column of {@code byte}s that grows at its end without ever copying what it holds. */
public final class ByteColumn {

    /*
     * Entry i stands in segments[i >>> SEGMENT_BITS][i & SEGMENT_MASK]. Segments are allocated when first needed, so a
     * column wastes less than one segment, and no array comes near the largest that Java allows.
     */

    public static final int SEGMENT_BITS = 15;
    public static final int SEGMENT_MASK = (1 << SEGMENT_BITS) - 1;

    private byte[][] segments = new byte[16][];
    private int size;

    public int size() {
        return size;
    }

    /** Bytes held. */
    public long byteSize() {
        return ((long) (size + SEGMENT_MASK) >>> SEGMENT_BITS << SEGMENT_BITS) * 1;
    }

    public byte get(int index) {
        return segments[index >>> SEGMENT_BITS][index & SEGMENT_MASK];
    }

    public void set(int index, byte value) {
        segments[index >>> SEGMENT_BITS][index & SEGMENT_MASK] = value;
    }

    public void add(byte value) {
        int offset = size & SEGMENT_MASK;
        if (offset == 0) {
            addSegment();
        }
        segments[size >>> SEGMENT_BITS][offset] = value;
        size++;
    }

    /** Appends {@code length} entries of an array. */
    public void addAll(byte[] from, int first, int length) {
        int done = 0;
        while (done < length) {
            int offset = size & SEGMENT_MASK;
            if (offset == 0) {
                addSegment();
            }
            int fits = Math.min(length - done, SEGMENT_MASK + 1 - offset);
            System.arraycopy(from, first + done, segments[size >>> SEGMENT_BITS], offset, fits);
            size += fits;
            done += fits;
        }
    }

    /** The arrays behind the column, for loops that run once for each entry. */
    public byte[][] segments() {
        return segments;
    }

    private void addSegment() {
        if (size > Integer.MAX_VALUE - SEGMENT_MASK - 1) {
            throw new IllegalStateException("column full: size=" + size);
        }
        int segment = size >>> SEGMENT_BITS;
        if (segment == segments.length) {
            segments = Arrays.copyOf(segments, segment * 2);
        }
        segments[segment] = new byte[SEGMENT_MASK + 1];
    }
}
