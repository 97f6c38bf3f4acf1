package io.nightjar.formats.arrow;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.file.SizeLimit;
import io.nightjar.formats.history.InputError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/** The bytes of one buffer of a column: a piece of the file, or decompressed in memory. */
final class ArrowBytes {

    static final ArrowBytes NONE = new ArrowBytes(new byte[0]);

    private final @Nullable FileChannel channel;
    private final long start;
    private final byte @Nullable [] memory;
    private final long length;
    private byte[] window = new byte[0];

    ArrowBytes(FileChannel channel, long start, long length) {
        this.channel = channel;
        this.start = start;
        this.length = length;
        this.memory = null;
    }

    ArrowBytes(byte[] memory) {
        this.channel = null;
        this.start = 0;
        this.length = memory.length;
        this.memory = memory;
    }

    long length() {
        return length;
    }

    /** Returns some of the bytes, valid until the next call. */
    ByteBuffer get(long offset, long count) throws IOException {
        if (offset < 0 || count < 0 || count > length - offset || count > Integer.MAX_VALUE - 8) {
            throw new CorruptArrowException(InputError.of("column is shorter than its rows need")
                    .with("offset=%d count=%d bytes=%d", offset, count, length));
        }
        if (memory != null) {
            return ByteBuffer.wrap(memory, (int) offset, (int) count).slice().order(ByteOrder.LITTLE_ENDIAN);
        }
        if (window.length < count) {
            checkFits(count);
            window = new byte[(int) Math.min(Integer.MAX_VALUE - 8, Math.max(count, 2L * window.length))];
        }
        ByteBuffer into = ByteBuffer.wrap(window, 0, (int) count);
        readFully(requireNonNull(channel), start + offset, into);
        return into.flip().order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Loads whether bits are zero, as the bits of nulls are. */
    void loadZeros(long from, int count, boolean[] isZero) throws IOException {
        long firstByte = from >> 3;
        ByteBuffer bits = get(firstByte, ((from + count + 7) >> 3) - firstByte);
        int shift = (int) (from & 7);
        for (int i = 0; i < count; i++) {
            int bit = shift + i;
            isZero[i] = (bits.get(bit >> 3) >> (bit & 7) & 1) == 0;
        }
    }

    /** Rejects a part that must be buffered as a whole and exceeds the memory limit. */
    static void checkFits(long bytes) {
        if (bytes > SizeLimit.PAGE.bytes()) {
            throw new CorruptArrowException(InputError.of("column does not fit into memory")
                    .with("bytes=" + bytes + " limitBytes=" + SizeLimit.PAGE.bytes())
                    .advise(SizeLimit.PAGE.advice(bytes)));
        }
    }

    /** Fills a buffer from the file; reports a file that ends before as corrupt. */
    static void readFully(FileChannel channel, long position, ByteBuffer into) throws IOException {
        long at = position;
        while (into.hasRemaining()) {
            int count = channel.read(into, at);
            if (count < 0) {
                throw new CorruptArrowException(InputError.of("file ends early").with("bytes=" + at));
            }
            at += count;
        }
    }
}
