package io.nightjar.formats.file;

import io.nightjar.formats.history.InputError;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Stream of a text that fails after too many consecutive blanks: a few megabytes of gzip may expand to gigabytes of
 * them.
 */
final class BlankLimitStream extends FilterInputStream {

    static final long MAX_BLANK_BYTES = 1 << 24;

    private long blankBytes; // since the last buffer with other bytes

    BlankLimitStream(InputStream in) {
        super(in);
    }

    @Override
    public int read() throws IOException {
        int b = in.read();
        if (b >= 0) {
            count(isBlank((byte) b), 1);
        }
        return b;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        int count = in.read(into, offset, length);
        int at = offset;
        while (at < offset + count && isBlank(into[at])) {
            at++;
        }
        if (count > 0) {
            count(at == offset + count, count);
        }
        return count;
    }

    private void count(boolean isBlank, int count) throws IOException {
        blankBytes = isBlank ? blankBytes + count : 0;
        if (blankBytes > MAX_BLANK_BYTES) {
            throw new CorruptDataException(InputError.of("too many blank bytes in sequence")
                    .with("limitBytes=" + MAX_BLANK_BYTES)
                    .advise("remove blank lines, as grep -v '^\\s*$' does"));
        }
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t';
    }

    @Override
    public boolean markSupported() {
        return false;
    }
}
