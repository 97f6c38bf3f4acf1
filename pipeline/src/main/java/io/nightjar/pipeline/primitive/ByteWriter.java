package io.nightjar.pipeline.primitive;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes written one after another into a growing array: varints, and zigzag varints for signed numbers. */
public final class ByteWriter {

    private byte[] bytes;
    private int size;

    public ByteWriter(int capacity) {
        bytes = new byte[capacity];
    }

    public byte[] bytes() {
        return bytes;
    }

    public int size() {
        return size;
    }

    public void clear() {
        size = 0;
    }

    public void putByte(int value) {
        ensure(1);
        bytes[size++] = (byte) value;
    }

    public void putBytes(byte[] from, int offset, int length) {
        ensure(length);
        System.arraycopy(from, offset, bytes, size, length);
        size += length;
    }

    /** Returns the position of {@code length} bytes that the caller sets in {@link #bytes}. */
    public int reserve(int length) {
        ensure(length);
        int first = size;
        size += length;
        return first;
    }

    /** Puts small numbers, 0 to 15, two a byte. */
    public void putNibbles(byte[] from, int count) {
        int at = reserve((count + 1) >> 1);
        int even = count & ~1;
        for (int i = 0; i < even; i += 2) {
            bytes[at++] = (byte) (from[i] | from[i + 1] << 4);
        }
        if (even < count) {
            bytes[at] = from[even];
        }
    }

    /** Writes codes of less than a byte: two a byte, if all of them are below 16. */
    public void putCodes(byte[] from, int count) {
        int bits = 0;
        for (int i = 0; i < count; i++) {
            bits |= from[i];
        }
        boolean isWide = bits >>> 4 != 0;
        putByte(isWide ? 1 : 0);
        if (isWide) {
            putBytes(from, 0, count);
        } else {
            putNibbles(from, count);
        }
    }

    public void putString(String string) {
        byte[] utf8 = string.getBytes(StandardCharsets.UTF_8);
        putVarint(utf8.length);
        putBytes(utf8, 0, utf8.length);
    }

    public void putVarint(long value) {
        ensure(10);
        byte[] target = bytes;
        int at = size;
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            target[at++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        target[at++] = (byte) rest;
        size = at;
    }

    public void putSigned(long value) {
        putVarint(zigzag(value));
    }

    /** Returns the sign in the lowest bit, so that numbers near zero are short. */
    public static long zigzag(long number) {
        return (number << 1) ^ (number >> 63);
    }

    private void ensure(int more) {
        if (size + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(size, more), bytes.length + (bytes.length >> 1)));
        }
    }
}
