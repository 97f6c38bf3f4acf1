package io.nightjar.pipeline.primitive;

import java.util.Arrays;

/** Bytes written one after another into a growing array: varints, and zigzag varints for signed numbers. */
public final class ByteSink {

    private byte[] bytes;
    private int size;

    public ByteSink(int capacity) {
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
        putVarint((value << 1) ^ (value >> 63));
    }

    private void ensure(int more) {
        if (size + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(size, more), bytes.length + (bytes.length >> 1)));
        }
    }
}
