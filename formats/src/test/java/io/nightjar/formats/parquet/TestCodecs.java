package io.nightjar.formats.parquet;

import com.github.luben.zstd.Zstd;
import io.airlift.compress.Compressor;
import io.airlift.compress.lz4.Lz4Compressor;
import io.airlift.compress.snappy.SnappyCompressor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/** Codecs for the reference reader and writer in tests, without Hadoop's runtime. */
final class TestCodecs implements CompressionCodecFactory {

    @Override
    public BytesInputCompressor getCompressor(CompressionCodecName name) {
        return new BytesInputCompressor() {
            @Override
            public BytesInput compress(BytesInput bytes) throws IOException {
                return BytesInput.from(
                        TestCodecs.compress(name, bytes.toInputStream().readAllBytes()));
            }

            @Override
            public CompressionCodecName getCodecName() {
                return name;
            }

            @Override
            public void release() {}
        };
    }

    private static byte[] compress(CompressionCodecName name, byte[] bytes) throws IOException {
        return switch (name) {
            case UNCOMPRESSED -> bytes;
            case ZSTD -> Zstd.compress(bytes);
            case GZIP -> {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
                    gzip.write(bytes);
                }
                yield out.toByteArray();
            }
            case SNAPPY -> block(new SnappyCompressor(), bytes);
            case LZ4_RAW -> block(new Lz4Compressor(), bytes);
            case LZ4 -> hadoopBlocks(bytes);
            default -> throw new IllegalArgumentException("not used in tests: codec=" + name);
        };
    }

    private static byte[] block(Compressor compressor, byte[] bytes) {
        byte[] block = new byte[compressor.maxCompressedLength(bytes.length)];
        return Arrays.copyOf(block, compressor.compress(bytes, 0, bytes.length, block, 0, block.length));
    }

    /** Returns two blocks, each after its two lengths. */
    private static byte[] hadoopBlocks(byte[] bytes) {
        int middle = bytes.length / 2;
        ByteBuffer out = ByteBuffer.allocate(bytes.length * 2 + 100);
        for (byte[] part : List.of(Arrays.copyOf(bytes, middle), Arrays.copyOfRange(bytes, middle, bytes.length))) {
            byte[] block = block(new Lz4Compressor(), part);
            out.putInt(part.length).putInt(block.length).put(block);
        }
        return Arrays.copyOf(out.array(), out.position());
    }

    @Override
    public BytesInputDecompressor getDecompressor(CompressionCodecName name) {
        return new BytesInputDecompressor() {
            @Override
            public BytesInput decompress(BytesInput bytes, int size) throws IOException {
                return BytesInput.from(
                        TestCodecs.decompress(name, bytes.toInputStream().readAllBytes(), size));
            }

            @Override
            public void decompress(ByteBuffer input, int compressedSize, ByteBuffer output, int size)
                    throws IOException {
                byte[] compressed = new byte[compressedSize];
                input.get(compressed);
                output.put(TestCodecs.decompress(name, compressed, size));
            }

            @Override
            public void release() {}
        };
    }

    private static byte[] decompress(CompressionCodecName name, byte[] bytes, int size) {
        return switch (name) {
            case UNCOMPRESSED -> bytes;
            case ZSTD -> Zstd.decompress(bytes, size);
            default -> throw new IllegalArgumentException("not used in tests: codec=" + name);
        };
    }

    @Override
    public void release() {}
}
