package io.nightjar.formats.parquet;

import java.nio.ByteBuffer;

/** Decodes strings stored after their lengths, or with one fixed length. */
final class PlainStrings implements ValueDecoder {

    private final Range range;
    private final ByteBuffer buffer;
    private final int fixedLength;
    private final StringEncoder map;
    private int at;

    /** @param fixedLength length of every string; 0 if a length precedes each string */
    PlainStrings(Range range, int fixedLength, StringEncoder map) {
        this.range = range;
        this.buffer = range.buffer();
        this.fixedLength = fixedLength;
        this.map = map;
        this.at = range.from();
    }

    @Override
    public void read(long[] into, int offset, int count) {
        for (int i = offset; i < offset + count; i++) {
            int length = nextLength();
            into[i] = map.map(range.bytes(), at, length);
            at += length;
        }
    }

    private int nextLength() {
        int length = fixedLength;
        if (length == 0) {
            range.require(at, Integer.BYTES);
            length = buffer.getInt(at);
            at += Integer.BYTES;
        }
        range.require(at, length);
        return length;
    }
}
