package io.nightjar.formats.parquet;

import io.nightjar.formats.history.InputError;

/** Decodes numbers stored as byte streams: all first bytes, then all second bytes, and so on. */
final class ByteStreamSplitDecoder implements ValueDecoder {

    private final Range range;
    private final int width;
    private final boolean isUnsigned;
    private final int valueCount;
    private int done;

    ByteStreamSplitDecoder(Range range, int width, boolean isUnsigned) {
        this.range = range;
        this.width = width;
        this.isUnsigned = isUnsigned;
        this.valueCount = (range.to() - range.from()) / width;
    }

    @Override
    public void read(long[] into, int offset, int count) {
        if (count > valueCount - done) {
            throw new CorruptFileException(InputError.of("page has fewer values than declared"));
        }
        int unused = Long.SIZE - width * Byte.SIZE;
        for (int i = offset; i < offset + count; i++) {
            long value = 0;
            for (int b = 0; b < width; b++) {
                value |= (range.bytes()[range.from() + b * valueCount + done] & 0xFFL) << (b * Byte.SIZE);
            }
            into[i] = isUnsigned ? value : value << unused >> unused;
            done++;
        }
    }
}
