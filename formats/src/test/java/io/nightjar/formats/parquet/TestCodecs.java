package io.nightjar.formats.parquet;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.GZIPOutputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/** The codecs that the library's reader and writer need in tests, without Hadoop's runtime. */
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
            default -> throw new IllegalArgumentException("not used in tests: codec=" + name);
        };
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
