package io.nightjar.formats.arrow;

import com.github.luben.zstd.ZstdInputStream;
import io.nightjar.formats.history.InputError;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.arrow.flatbuf.CompressionType;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorInputStream;

/** Decompresses buffers: an int64 length, then a frame of zstd or LZ4, or uncompressed bytes if the length is -1. */
final class ArrowCompression {

    private static final int LENGTH_BYTES = 8;
    private static final int STORED = -1;
    private static final int MAX_ARRAY_LENGTH = Integer.MAX_VALUE - 8;

    private ArrowCompression() {}

    static ArrowBytes decompress(ArrowBytes compressed, int codec) throws IOException {
        if (compressed.length() < LENGTH_BYTES) {
            throw new CorruptArrowException(
                    InputError.of("compressed column is damaged").with("bytes=" + compressed.length()));
        }
        ArrowBytes.checkFits(compressed.length());
        ByteBuffer bytes = compressed.get(0, compressed.length());
        long length = bytes.getLong();
        byte[] frame = new byte[bytes.remaining()];
        bytes.get(frame);
        if (length == STORED) {
            return new ArrowBytes(frame);
        }
        if (length < 0 || length > MAX_ARRAY_LENGTH) {
            throw new CorruptArrowException(
                    InputError.of("compressed column is damaged or too long").with("length=" + length));
        }
        ArrowBytes.checkFits(length);
        return new ArrowBytes(decompress(frame, (int) length, codec));
    }

    private static byte[] decompress(byte[] frame, int length, int codec) {
        // The length may be corrupt, so memory grows with the bytes that are decompressed.
        byte[] into = new byte[Math.min(length, Math.max(1 << 16, frame.length))];
        int filled = 0;
        try (InputStream in = open(frame, codec)) {
            while (filled < length) {
                if (filled == into.length) {
                    into = Arrays.copyOf(into, (int) Math.min(length, 2L * into.length));
                }
                int count = in.read(into, filled, into.length - filled);
                if (count <= 0) {
                    break;
                }
                filled += count;
            }
        } catch (IOException | IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new CorruptArrowException(
                    InputError.of("compressed column is damaged").with("reason=" + e.getMessage()), e);
        }
        if (filled != length) {
            throw new CorruptArrowException(
                    InputError.of("compressed column ends early").with("bytes=%d expected=%d", filled, length));
        }
        return into;
    }

    private static InputStream open(byte[] frame, int codec) throws IOException {
        return switch (codec) {
            case CompressionType.ZSTD -> new ZstdInputStream(new ByteArrayInputStream(frame));
            case CompressionType.LZ4_FRAME -> new FramedLZ4CompressorInputStream(new ByteArrayInputStream(frame));
            default ->
                throw new CorruptArrowException(
                        InputError.of("unknown compression").with("codec=" + codec + " expected=lz4|zstd"));
        };
    }
}
