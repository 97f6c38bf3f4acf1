package io.nightjar.formats.parquet;

import java.nio.ByteBuffer;

/** Decodes numbers in plain encoding: 8 bytes, 4 bytes, or one bit each. */
final class PlainNumbers implements ValueDecoder {

    private final Range range;
    private final ByteBuffer buffer;
    private final PhysicalType type;
    private final boolean isUnsigned;
    private int bit;

    PlainNumbers(Range range, PhysicalType type, boolean isUnsigned) {
        this.range = range;
        this.buffer = range.buffer();
        this.type = type;
        this.isUnsigned = isUnsigned;
    }

    @Override
    public void read(long[] into, int offset, int count) {
        switch (type) {
            case INT64, DOUBLE -> longs(into, offset, count);
            case BOOLEAN -> bits(into, offset, count);
            default -> ints(into, offset, count);
        }
    }

    private void longs(long[] into, int offset, int count) {
        int at = buffer.position();
        range.require(at, (long) count * Long.BYTES);
        buffer.asLongBuffer().get(into, offset, count);
        buffer.position(at + count * Long.BYTES);
    }

    private void ints(long[] into, int offset, int count) {
        int at = buffer.position();
        range.require(at, (long) count * Integer.BYTES);
        long mask = isUnsigned ? 0xFFFFFFFFL : -1L;
        for (int i = offset; i < offset + count; i++) {
            into[i] = buffer.getInt(at) & mask;
            at += Integer.BYTES;
        }
        buffer.position(at);
    }

    private void bits(long[] into, int offset, int count) {
        int at = range.from();
        range.require(at, ((long) bit + count + 7) >>> 3);
        for (int i = offset; i < offset + count; i++) {
            into[i] = (buffer.get(at + (bit >>> 3)) >>> (bit & 7)) & 1;
            bit++;
        }
    }
}
