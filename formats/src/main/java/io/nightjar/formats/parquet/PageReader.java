package io.nightjar.formats.parquet;

import io.nightjar.formats.file.SizeLimit;
import io.nightjar.formats.history.InputError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.Objects;
import java.util.zip.CRC32;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.jspecify.annotations.Nullable;

/** Reads the pages of one column chunk sequentially and decompresses them. */
final class PageReader {

    private static final int FIRST_WINDOW = 1 << 16;
    private static final int MAX_HEADER_BYTES = 1 << 24;

    /** Maximum error in the chunk size recorded by old writers. */
    private static final long SIZE_SLACK = 1 << 16;

    private final FileChannel channel;
    private final ChunkInfo chunk;
    private final long dataEnd;
    private final PageDecompressor codec;

    private long position;
    private byte[] window = new byte[0];
    private int windowAt;
    private int windowEnd;

    private long entriesLeft;
    private @Nullable PageInfo page; // null before the first page
    private byte[] body = new byte[0];
    private final CRC32 crc = new CRC32();
    private final HeadersCrc headersCrc = new HeadersCrc();

    PageReader(FileChannel channel, ChunkInfo chunk, long dataEnd, PageDecompressor codec) {
        this.channel = channel;
        this.chunk = chunk;
        this.dataEnd = dataEnd;
        this.codec = codec;
        this.position = chunk.start();
        this.entriesLeft = chunk.entryCount();
        PageDecompressor.check(chunk.codec());
    }

    /** Returns the header of the current page. */
    PageInfo page() {
        return Objects.requireNonNull(page);
    }

    /**
     * Returns the current page, decompressed, with {@link RleDecoder#PADDING} after its {@code uncompressedSize} bytes.
     */
    byte[] body() {
        return body;
    }

    /** Returns the array and transfers its ownership: the next page uses another array. */
    byte[] takeBody() {
        byte[] taken = body;
        body = new byte[0];
        return taken;
    }

    /** Advances to the next dictionary or data page; returns false after the last one. */
    boolean next() throws IOException {
        if (entriesLeft == 0) {
            checkHeaders();
            return false;
        }
        PageInfo fetched;
        do {
            fetched = fetch();
        } while (!fetched.hasValues());
        if (fetched.type != PageType.DICTIONARY_PAGE) {
            if (fetched.valueCount > entriesLeft) {
                throw new CorruptFileException(InputError.of("pages contain more values than the footer declares"));
            }
            entriesLeft -= fetched.valueCount;
        }
        page = fetched;
        return true;
    }

    private PageInfo fetch() throws IOException {
        PageInfo header = readHeader();
        int size = header.compressedSize;
        if (size > dataEnd - position + (windowEnd - windowAt)) {
            throw new CorruptFileException(
                    InputError.of("page exceeds the end of the data").with("bytes=" + size));
        }
        if (header.uncompressedSize > chunk.uncompressedSize() + SIZE_SLACK) {
            throw new CorruptFileException(
                    InputError.of("page is larger than its column").with("bytes=" + header.uncompressedSize));
        }
        int larger = Math.max(size, header.uncompressedSize);
        if (larger > SizeLimit.PAGE.bytes()) {
            throw new CorruptFileException(InputError.of("page does not fit into memory")
                    .with("bytes=" + larger + " limitBytes=" + SizeLimit.PAGE.bytes())
                    .advise(SizeLimit.PAGE.advice(larger)));
        }
        fill(size);
        if (header.crc != null) {
            crc.reset();
            crc.update(window, windowAt, size);
            if ((int) crc.getValue() != header.crc) {
                throw new CorruptFileException(InputError.of("page has a wrong checksum"));
            }
        }
        unpack(header, size);
        windowAt += size;
        return header;
    }

    private PageInfo readHeader() throws IOException {
        int wanted = 1 << 10;
        while (true) {
            boolean isAll = !fillUpTo(wanted);
            try {
                PageHeader header = new PageHeader();
                int end = ThriftBytes.read(header, window, windowAt, windowEnd);
                PageInfo info = new PageInfo(header);
                headersCrc.add(info.type == PageType.DICTIONARY_PAGE, window, windowAt, end - windowAt);
                windowAt = end;
                return info;
            } catch (CorruptFileException e) {
                // A header with long statistics may not be completely in the window.
                if (isAll || wanted >= MAX_HEADER_BYTES) {
                    throw e;
                }
                wanted = Math.max(wanted * 4, windowEnd - windowAt + 1);
            }
        }
    }

    private void unpack(PageInfo header, int size) throws IOException {
        int length = header.uncompressedSize;
        if (body.length < length + RleDecoder.PADDING) {
            body = new byte[length + RleDecoder.PADDING];
        }
        int levels = header.type == PageType.DATA_PAGE_V2 ? header.repsLength + header.defsLength : 0;
        if (header.repsLength < 0 || header.defsLength < 0 || levels < 0 || levels > size || levels > length) {
            throw new CorruptFileException(InputError.of("levels are longer than their page"));
        }
        System.arraycopy(window, windowAt, body, 0, levels);
        int from = windowAt + levels;
        if (header.type == PageType.DATA_PAGE_V2 && !header.isCompressed) {
            if (size != length) {
                throw new CorruptFileException(
                        InputError.of("page has a wrong size").with("bytes=" + size + " expected=" + length));
            }
            System.arraycopy(window, from, body, levels, length - levels);
        } else if (length > levels) {
            // A page of nulls has no data to compress, and some writers then compress nothing.
            codec.decompress(chunk.codec(), window, from, size - levels, body, levels, length - levels);
        }
    }

    /** Ensures that the window contains this many more bytes. */
    private void fill(int count) throws IOException {
        fillUpTo(count);
        if (windowEnd - windowAt < count) {
            throw new CorruptFileException(InputError.of("file ends inside a page"));
        }
    }

    /** Extends the window like {@link #fill}, but returns false if the data ends before. */
    private boolean fillUpTo(int count) throws IOException {
        int held = windowEnd - windowAt;
        if (held >= count) {
            return true;
        }
        long rest = Math.max(count - held, Math.min(dataEnd, chunk.start() + chunk.compressedSize()) - position);
        int capacity = Math.max(count, (int) Math.min(FIRST_WINDOW, held + rest));
        if (window.length < capacity) {
            window = Arrays.copyOfRange(window, windowAt, windowAt + capacity);
        } else {
            System.arraycopy(window, windowAt, window, 0, held);
        }
        windowAt = 0;
        windowEnd = held;
        int free = (int) Math.min(window.length - held, Math.min(rest, dataEnd - position));
        ByteBuffer into = ByteBuffer.wrap(window, held, free);
        while (windowEnd < count && into.hasRemaining()) {
            int some = channel.read(into, position);
            if (some < 0) {
                break;
            }
            position += some;
            windowEnd += some;
        }
        return windowEnd >= count;
    }

    private void checkHeaders() {
        if (chunk.headersCrc() != null && !chunk.headersCrc().equals(FooterWriter.hex(headersCrc.value()))) {
            throw new CorruptFileException(InputError.of("page headers have a wrong checksum"));
        }
    }
}
