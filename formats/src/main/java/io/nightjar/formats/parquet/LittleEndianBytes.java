package io.nightjar.formats.parquet;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A growable byte array with little-endian numbers, as in Parquet. */
final class LittleEndianBytes {

    private ByteBuffer buffer;
    private byte[] bytes;
    private int size;

    LittleEndianBytes(int capacity) {
        allocate(new byte[capacity]);
    }

    /** Returns the underlying array; the first {@link #size} bytes are valid until the next addition. */
    byte[] bytes() {
        return bytes;
    }

    int size() {
        return size;
    }

    void clear() {
        size = 0;
    }

    void put(int b) {
        reserve(1);
        bytes[size++] = (byte) b;
    }

    void put(byte[] from, int offset, int length) {
        reserve(length);
        System.arraycopy(from, offset, bytes, size, length);
        size += length;
    }

    void putInt(int value) {
        reserve(Integer.BYTES);
        buffer.putInt(size, value);
        size += Integer.BYTES;
    }

    void putLong(long value) {
        reserve(Long.BYTES);
        buffer.putLong(size, value);
        size += Long.BYTES;
    }

    void setInt(int position, int value) {
        buffer.putInt(position, value);
    }

    void putLongs(long[] values, int count) {
        reserve(count * Long.BYTES);
        buffer.position(size);
        buffer.asLongBuffer().put(values, 0, count);
        buffer.position(0);
        size += count * Long.BYTES;
    }

    void varint(long value) {
        reserve(10);
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
    }

    /** Reserves this many bytes after the last one. */
    void reserve(int more) {
        int needed = Math.addExact(size, more);
        if (needed > bytes.length) {
            long grown = Math.min(Integer.MAX_VALUE - 8L, bytes.length * 2L);
            allocate(Arrays.copyOf(bytes, (int) Math.max(needed, grown)));
        }
    }

    /** Adds bytes that the caller wrote to {@link #bytes}, after {@link #reserve}. */
    void advance(int count) {
        size += count;
    }

    private void allocate(byte[] array) {
        bytes = array;
        buffer = ByteBuffer.wrap(array).order(ByteOrder.LITTLE_ENDIAN);
    }
}
