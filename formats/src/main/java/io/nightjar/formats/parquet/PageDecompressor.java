package io.nightjar.formats.parquet;

import com.github.luben.zstd.ZstdDecompressCtx;
import io.airlift.compress.Decompressor;
import io.airlift.compress.lz4.Lz4Decompressor;
import io.airlift.compress.snappy.SnappyDecompressor;
import io.nightjar.formats.file.ZstdLibrary;
import io.nightjar.formats.history.InputError;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import org.apache.parquet.format.CompressionCodec;
import org.jspecify.annotations.Nullable;

/** Decompresses pages. Not thread-safe; a codec is initialized at its first use. */
final class PageDecompressor implements AutoCloseable {

    private @Nullable ZstdDecompressCtx zstd;
    private @Nullable Decompressor snappy;
    private @Nullable Decompressor lz4;

    static void check(CompressionCodec codec) {
        if (codec == CompressionCodec.LZO || codec == CompressionCodec.BROTLI) {
            throw new CorruptFileException(InputError.of("compression is not supported")
                    .with("codec=" + codec.name().toLowerCase(Locale.ROOT)
                            + " supported=uncompressed,snappy,gzip,zstd,lz4_raw,lz4")
                    .advise("write the file with zstd"));
        }
    }

    /** Decompresses to exactly {@code toLength} bytes. */
    void decompress(
            CompressionCodec codec, byte[] from, int offset, int length, byte[] to, int toOffset, int toLength) {
        int made =
                switch (codec) {
                    case UNCOMPRESSED -> copy(from, offset, length, to, toOffset, toLength);
                    case SNAPPY -> snappy().decompress(from, offset, length, to, toOffset, toLength);
                    case GZIP -> gzip(from, offset, length, to, toOffset, toLength);
                    case ZSTD -> zstd().decompressByteArray(to, toOffset, toLength, from, offset, length);
                    case LZ4_RAW -> lz4().decompress(from, offset, length, to, toOffset, toLength);
                    case LZ4 -> lz4Hadoop(from, offset, length, to, toOffset, toLength);
                    case LZO, BROTLI -> throw new AssertionError("bug: unsupported codec: " + codec);
                };
        if (made != toLength) {
            throw new CorruptFileException(
                    InputError.of("page has a wrong size").with("bytes=" + made + " expected=" + toLength));
        }
    }

    private static int copy(byte[] from, int offset, int length, byte[] to, int toOffset, int toLength) {
        if (length != toLength) {
            return length;
        }
        System.arraycopy(from, offset, to, toOffset, length);
        return length;
    }

    private static int gzip(byte[] from, int offset, int length, byte[] to, int toOffset, int toLength) {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(from, offset, length))) {
            return in.readNBytes(to, toOffset, toLength);
        } catch (IOException e) {
            throw new CorruptFileException(
                    InputError.of("page cannot be unpacked").with("codec=gzip reason=" + e.getMessage()));
        }
    }

    /**
     * Decompresses blocks of Hadoop's framing, each after its two lengths; or one bare block, which some writers
     * produce.
     */
    private int lz4Hadoop(byte[] from, int offset, int length, byte[] to, int toOffset, int toLength) {
        ByteBuffer in = ByteBuffer.wrap(from, offset, length);
        int made = 0;
        while (in.remaining() >= 2 * Integer.BYTES) {
            int size = in.getInt();
            int packed = in.getInt();
            if (size < 0 || size > toLength - made || packed <= 0 || packed > in.remaining()) {
                return lz4().decompress(from, offset, length, to, toOffset, toLength);
            }
            int some = lz4().decompress(from, in.position(), packed, to, toOffset + made, size);
            in.position(in.position() + packed);
            made += some;
        }
        return made;
    }

    private ZstdDecompressCtx zstd() {
        if (zstd == null) {
            ZstdLibrary.load();
            zstd = new ZstdDecompressCtx();
        }
        return zstd;
    }

    private Decompressor snappy() {
        if (snappy == null) {
            snappy = new SnappyDecompressor();
        }
        return snappy;
    }

    private Decompressor lz4() {
        if (lz4 == null) {
            lz4 = new Lz4Decompressor();
        }
        return lz4;
    }

    @Override
    public void close() {
        if (zstd != null) {
            zstd.close();
        }
    }
}
