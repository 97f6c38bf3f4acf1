package io.nightjar.formats.arrow;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.formats.file.SizeLimit;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.arrow.flatbuf.CompressionType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Columns that exceed memory, or claim to, are rejected before allocation, with the sufficient amount of memory. */
class ArrowBytesTest {

    private static final long TOO_MUCH = SizeLimit.PAGE.bytes() + 1L;
    private static final String REFUSED = "column does not fit into memory: bytes=" + TOO_MUCH + " limitBytes="
            + SizeLimit.PAGE.bytes() + "; " + SizeLimit.PAGE.advice(TOO_MUCH);

    @TempDir
    private Path folder;

    @Test
    void compressedColumnLargerThanMemoryIsRejected() {
        byte[] claim = ByteBuffer.allocate(64)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(TOO_MUCH)
                .array();

        assertThatThrownBy(() -> ArrowCompression.decompress(new ArrowBytes(claim), CompressionType.ZSTD))
                .isInstanceOf(CorruptArrowException.class)
                .hasMessage(REFUSED);
    }

    @Test
    void aRowThatIsLargerThanMemoryIsRefused() throws IOException {
        try (FileChannel sparse =
                FileChannel.open(folder.resolve("sparse"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            sparse.write(ByteBuffer.allocate(1), TOO_MUCH);
            ArrowBytes column = new ArrowBytes(sparse, 0, TOO_MUCH);

            assertThatThrownBy(() -> column.get(0, TOO_MUCH))
                    .isInstanceOf(CorruptArrowException.class)
                    .hasMessage(REFUSED);
        }
    }
}
