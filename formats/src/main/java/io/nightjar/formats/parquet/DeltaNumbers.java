package io.nightjar.formats.parquet;

import io.nightjar.formats.history.InputError;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Decodes numbers stored as differences to the previous number, in blocks of bit-packed miniblocks. */
final class DeltaNumbers implements ValueDecoder {

    /*
     * Layout.
     *
     *   header:  values per block | miniblocks per block | total values | first value
     *   block:   least difference  | a bit width for each miniblock | the miniblocks
     *
     * A value is the previous value, plus the least difference of its block, plus the number in its miniblock. Sums
     * wrap around, as the format requires; int32 sums wrap at 32 bits.
     */

    private static final int LARGEST_BLOCK = 1 << 20;

    private final Range range;
    private final ByteBuffer buffer;
    private final boolean isInt32;
    private final boolean isUnsigned;
    private final int miniblocks;
    private final int miniblockSize;
    private final int valueCount;

    private int at;
    private long previous;
    private int done;
    private long minDelta;
    private final int[] widths;
    private int miniblock;
    private final long[] deltas;
    private int deltaAt;

    DeltaNumbers(Range range, boolean isInt32, boolean isUnsigned) {
        this.range = range;
        this.buffer = range.buffer();
        this.isInt32 = isInt32;
        this.isUnsigned = isUnsigned;
        this.at = range.from();
        long blockSize = varint();
        long count = varint();
        if (blockSize <= 0
                || blockSize > LARGEST_BLOCK
                || count <= 0
                || count > blockSize
                || blockSize % count != 0
                || blockSize / count % 8 != 0) {
            throw new CorruptFileException(InputError.of("bad block of differences"));
        }
        this.miniblocks = (int) count;
        this.miniblockSize = (int) (blockSize / count);
        long all = varint();
        if (all < 0 || all > Integer.MAX_VALUE) {
            throw new CorruptFileException(InputError.of("bad number of differences"));
        }
        this.valueCount = (int) all;
        this.previous = zigzag();
        this.widths = new int[miniblocks];
        this.miniblock = miniblocks;
        this.deltas = new long[miniblockSize];
        this.deltaAt = miniblockSize;
    }

    @Override
    public void read(long[] into, int offset, int count) {
        if (count > valueCount - done) {
            throw new CorruptFileException(InputError.of("page has fewer values than declared"));
        }
        for (int i = offset; i < offset + count; i++) {
            if (done > 0) {
                if (deltaAt == miniblockSize) {
                    nextMiniblock();
                }
                previous += minDelta + deltas[deltaAt++];
            }
            done++;
            into[i] = isInt32 ? isUnsigned ? previous & 0xFFFFFFFFL : (int) previous : previous;
        }
    }

    /** Skips all values; returns the position after them, where another part of the page may begin. */
    int end() {
        long[] some = new long[Math.min(valueCount, 1 << 10)];
        while (done < valueCount) {
            read(some, 0, Math.min(some.length, valueCount - done));
        }
        return at;
    }

    private void nextMiniblock() {
        if (miniblock == miniblocks) {
            minDelta = zigzag();
            range.require(at, miniblocks);
            for (int i = 0; i < miniblocks; i++) {
                widths[i] = buffer.get(at++) & 0xFF;
            }
            miniblock = 0;
        }
        int width = widths[miniblock++];
        long bytes = (long) miniblockSize * width / 8;
        if (width > Long.SIZE) {
            throw new CorruptFileException(InputError.of("bad width of differences"));
        }
        range.require(at, bytes);
        unpack(width);
        at += (int) bytes;
        deltaAt = 0;
    }

    private void unpack(int width) {
        if (width == 0) {
            Arrays.fill(deltas, 0);
            return;
        }
        long mask = width == Long.SIZE ? -1L : (1L << width) - 1;
        long bit = 0;
        for (int i = 0; i < miniblockSize; i++) {
            int from = at + (int) (bit >>> 3);
            int shift = (int) (bit & 7);
            long value = buffer.getLong(from) >>> shift;
            if (shift + width > Long.SIZE) {
                value |= (long) buffer.get(from + Long.BYTES) << (Long.SIZE - shift);
            }
            deltas[i] = value & mask;
            bit += width;
        }
    }

    private long zigzag() {
        long value = varint();
        return (value >>> 1) ^ -(value & 1);
    }

    private long varint() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            range.require(at, 1);
            int b = range.bytes()[at++] & 0xFF;
            value |= (long) (b & 0x7F) << shift;
            if (b < 0x80) {
                return value;
            }
        }
        throw new CorruptFileException(InputError.of("bad number"));
    }
}
