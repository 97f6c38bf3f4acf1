package io.nightjar.formats.parquet;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.InputError;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Decoder of Parquet's hybrid of run lengths and bit packing, in batches. */
final class RleDecoder {

    /** Returned by {@link #constantValue} if the next values may differ. */
    static final int NOT_CONSTANT = -1;

    /** Bytes after the last one that may be read, but are not used. */
    static final int PADDING = Long.BYTES;

    private @Nullable ByteBuffer buffer;
    private int at;
    private int end;
    private int bitWidth;
    private int mask;

    private int left;
    private boolean isRun;
    private int runValue;
    private int packedStart;
    private int packedIndex;

    /** Starts decoding; the array must have {@link #PADDING} bytes after {@code to}. */
    void begin(byte[] bytes, int from, int to, int width) {
        if (width < 0 || width > Integer.SIZE || from > to) {
            throw new CorruptFileException(
                    InputError.of("bad bit width or length").with("width=" + width));
        }
        if (buffer == null || buffer.array() != bytes) {
            buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        }
        at = from;
        end = to;
        bitWidth = width;
        mask = width == Integer.SIZE ? -1 : (1 << width) - 1;
        left = 0;
        if (width == 0) {
            isRun = true;
            runValue = 0;
            left = Integer.MAX_VALUE;
        }
    }

    /** Returns the number of next values that equal {@link #constantValue}. */
    int constantLength() {
        while (left == 0) {
            nextStretch();
        }
        return isRun ? left : 0;
    }

    int constantValue() {
        return isRun && left > 0 ? runValue : NOT_CONSTANT;
    }

    void skip(int count) {
        int todo = count;
        while (todo > 0) {
            while (left == 0) {
                nextStretch();
            }
            todo -= take(todo);
        }
    }

    void read(int[] into, int offset, int count) {
        int to = offset;
        int todo = count;
        while (todo > 0) {
            while (left == 0) {
                nextStretch();
            }
            int index = packedIndex;
            int some = take(todo);
            if (isRun) {
                fill(into, to, some, runValue);
            } else {
                unpack(index, into, to, some);
            }
            to += some;
            todo -= some;
        }
    }

    /** Consumes values of the current run, at most that many; returns their number. */
    private int take(int maxValues) {
        int some = Math.min(maxValues, left);
        left -= some;
        packedIndex += some;
        return some;
    }

    private void nextStretch() {
        long header = varint();
        packedIndex = 0;
        if ((header & 1) == 0) {
            isRun = true;
            left = (int) Math.min(Integer.MAX_VALUE, header >>> 1);
            runValue = 0;
            for (int bits = 0; bits < bitWidth; bits += 8) {
                runValue |= next() << bits;
            }
            return;
        }
        isRun = false;
        packedStart = at;
        // Some writers omit the bytes of the last group that contain no value.
        long bytes = Math.min((header >>> 1) * bitWidth, end - at);
        left = (int) Math.min((header >>> 1) << 3, bytes * 8 / bitWidth);
        at += (int) bytes;
        if (left == 0) {
            throw new CorruptFileException(InputError.of("levels or ordinals end early"));
        }
    }

    private static void fill(int[] into, int from, int count, int value) {
        for (int i = from; i < from + count; i++) {
            into[i] = value;
        }
    }

    private void unpack(int index, int[] into, int to, int count) {
        int done = 0;
        // Values up to the begin of a group are unpacked one by one, then whole groups, then the rest one by one.
        int single = Math.min(count, -index & 7);
        unpackSingly(index, into, to, single);
        done += single;
        int groups = (count - done) >>> 3;
        if (bitWidth <= Byte.SIZE) {
            unpackGroups((index + done) >>> 3, into, to + done, groups);
            done += groups << 3;
        }
        unpackSingly(index + done, into, to + done, count - done);
    }

    private void unpackSingly(int index, int[] into, int to, int count) {
        long bit = (long) index * bitWidth;
        for (int i = to; i < to + count; i++) {
            into[i] = (int) (requireNonNull(buffer).getLong(packedStart + (int) (bit >>> 3)) >>> (bit & 7)) & mask;
            bit += bitWidth;
        }
    }

    /** Unpacks eight values together: a group of up to 8 bits per value fits a long. */
    private void unpackGroups(int group, int[] into, int to, int groups) {
        int width = bitWidth;
        int mask = this.mask;
        int from = packedStart + group * width;
        int last = to + (groups << 3);
        for (int i = to; i < last; i += 8) {
            long bits = requireNonNull(buffer).getLong(from);
            into[i] = (int) bits & mask;
            into[i + 1] = (int) (bits >>> width) & mask;
            into[i + 2] = (int) (bits >>> 2 * width) & mask;
            into[i + 3] = (int) (bits >>> 3 * width) & mask;
            into[i + 4] = (int) (bits >>> 4 * width) & mask;
            into[i + 5] = (int) (bits >>> 5 * width) & mask;
            into[i + 6] = (int) (bits >>> 6 * width) & mask;
            into[i + 7] = (int) (bits >>> 7 * width) & mask;
            from += width;
        }
    }

    private int next() {
        if (at >= end) {
            throw new CorruptFileException(InputError.of("levels or ordinals end early"));
        }
        return requireNonNull(buffer).get(at++) & 0xFF;
    }

    private long varint() {
        long value = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            int b = next();
            value |= (long) (b & 0x7F) << shift;
            if (b < 0x80) {
                return value;
            }
        }
        throw new CorruptFileException(InputError.of("bad run length"));
    }
}
