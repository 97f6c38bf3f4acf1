package io.nightjar.formats.file;

import io.nightjar.formats.history.InputError;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Strict decoder of gzip data with one or more members: only another member or zero padding may follow a member.
 *
 * <p>The JDK's stream treats a corrupt second member as the end of the file and so silently loses the rest.
 */
final class GzipStream extends BlockStream {

    private static final int BUFFER_SIZE = 1 << 16;
    private static final int DEFLATE = 8;
    private static final int HAS_HEADER_CRC = 2;
    private static final int HAS_EXTRA_FIELD = 4;
    private static final int HAS_NAME = 8;
    private static final int HAS_COMMENT = 16;

    private final InputStream in;
    private final Inflater inflater = new Inflater(true);
    private final CRC32 crc = new CRC32();
    private final byte[] buffer = new byte[BUFFER_SIZE];
    private int position;
    private int limit;
    private boolean isBegun;
    private boolean isAtEnd;

    GzipStream(InputStream in) {
        this.in = in;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!isBegun) {
            readHeader();
            isBegun = true;
        }
        try {
            while (!isAtEnd) {
                int count = inflater.inflate(into, offset, length);
                if (count > 0) {
                    crc.update(into, offset, count);
                    return count;
                }
                if (inflater.finished()) {
                    endMember();
                } else if (inflater.needsDictionary()) {
                    throw new CorruptDataException(
                            InputError.of("gzip data is damaged").with("reason=needs a dictionary"));
                } else {
                    feed();
                }
            }
            return -1;
        } catch (DataFormatException e) {
            throw new CorruptDataException(InputError.of("gzip data is damaged").with("reason=" + e.getMessage()), e);
        }
    }

    @Override
    public void close() throws IOException {
        inflater.end();
        in.close();
    }

    private void feed() throws IOException {
        if (position == limit && !fill()) {
            throw new CorruptDataException(InputError.of("gzip data ends early"));
        }
        inflater.setInput(buffer, position, limit - position);
        position = limit;
    }

    private void endMember() throws IOException {
        position = limit - inflater.getRemaining();
        long written = inflater.getBytesWritten();
        if (fourBytes() != crc.getValue() || fourBytes() != (written & 0xffffffffL)) {
            throw new CorruptDataException(InputError.of("gzip data is damaged").with("reason=wrong checksum"));
        }
        inflater.reset();
        crc.reset();
        if (!skipPadding()) {
            isAtEnd = true;
        } else {
            readHeader();
        }
    }

    /** Skips zeros; returns false if only zeros follow. */
    private boolean skipPadding() throws IOException {
        while (position < limit || fill()) {
            if (buffer[position] != 0) {
                return true;
            }
            position++;
        }
        return false;
    }

    private void readHeader() throws IOException {
        if (oneByte() != 0x1f || oneByte() != 0x8b || oneByte() != DEFLATE) {
            throw new CorruptDataException(InputError.of("gzip data is damaged").with("reason=foreign bytes after it"));
        }
        int flags = oneByte();
        for (int i = 0; i < 6; i++) { // modification time, hints, system
            oneByte();
        }
        if ((flags & HAS_EXTRA_FIELD) != 0) {
            int length = oneByte() | oneByte() << 8;
            for (int i = 0; i < length; i++) {
                oneByte();
            }
        }
        if ((flags & HAS_NAME) != 0) {
            skipZeroTerminated();
        }
        if ((flags & HAS_COMMENT) != 0) {
            skipZeroTerminated();
        }
        if ((flags & HAS_HEADER_CRC) != 0) {
            oneByte();
            oneByte();
        }
    }

    private void skipZeroTerminated() throws IOException {
        int b = oneByte();
        while (b != 0) {
            b = oneByte();
        }
    }

    private long fourBytes() throws IOException {
        return oneByte() | oneByte() << 8 | oneByte() << 16 | (long) oneByte() << 24;
    }

    private int oneByte() throws IOException {
        if (position == limit && !fill()) {
            throw new CorruptDataException(InputError.of("gzip data ends early"));
        }
        return buffer[position++] & 0xff;
    }

    private boolean fill() throws IOException {
        position = 0;
        limit = Math.max(0, in.read(buffer, 0, buffer.length));
        return limit > 0;
    }
}
