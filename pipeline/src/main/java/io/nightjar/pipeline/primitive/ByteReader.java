package io.nightjar.pipeline.primitive;

import java.nio.charset.StandardCharsets;

/** Bytes read one after another, as {@link ByteWriter} wrote them. */
public final class ByteReader {

    private final byte[] bytes;
    private final int end;
    private int at;

    public ByteReader(byte[] bytes, int first, int length) {
        this.bytes = bytes;
        this.at = first;
        this.end = first + length;
    }

    public boolean isEmpty() {
        return at == end;
    }

    /** Bytes that are left. */
    public int size() {
        return end - at;
    }

    public int getByte() {
        return bytes[at++];
    }

    public long getVarint() {
        byte next = bytes[at++];
        long value = next & 0x7F;
        int shift = 7;
        while (next < 0) {
            next = bytes[at++];
            value |= (next & 0x7FL) << shift;
            shift += 7;
        }
        return value;
    }

    public int getCount() {
        return Math.toIntExact(getVarint());
    }

    public long getSigned() {
        return unzigzag(getVarint());
    }

    /** Undoes {@link ByteWriter#zigzag}. */
    public static long unzigzag(long zigzag) {
        return (zigzag >>> 1) ^ -(zigzag & 1);
    }

    /** Reads codes written by {@link ByteWriter#putCodes}. */
    public void getCodes(byte[] into, int count) {
        if (getByte() == 0) {
            getNibbles(into, count);
        } else {
            System.arraycopy(bytes, skip(count), into, 0, count);
        }
    }

    /** Reads bytes written by {@link ByteWriter#putNibbles}. */
    public void getNibbles(byte[] into, int count) {
        byte[] from = bytes;
        int next = skip((count + 1) >> 1);
        int even = count & ~1;
        for (int i = 0; i < even; i += 2) {
            byte both = from[next++];
            into[i] = (byte) (both & 15);
            into[i + 1] = (byte) (both >> 4 & 15);
        }
        if (even < count) {
            into[even] = (byte) (from[next] & 15);
        }
    }

    public String getString() {
        int length = getCount();
        return new String(bytes, skip(length), length, StandardCharsets.UTF_8);
    }

    public byte[] array() {
        return bytes;
    }

    /** Returns the position of the next byte; skips {@code length} bytes that the caller reads from {@link #array}. */
    public int skip(int length) {
        int first = at;
        at += length;
        return first;
    }
}
