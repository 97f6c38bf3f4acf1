package io.nightjar.formats.interop;

import io.nightjar.formats.file.InputFile;
import io.nightjar.formats.text.BadRowException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.file.Path;

/** Reader of numbers and bytes of a binary file that counts the bytes read. */
final class BinaryInput implements AutoCloseable {

    static final int END = -1;

    private static final int BUFFER_SIZE = 1 << 16;
    private static final VarHandle BIG_ENDIAN =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LITTLE_ENDIAN =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER_SIZE];
    private int position;
    private int limit;
    private long bytesBefore;

    BinaryInput(Path file) throws IOException {
        InputFile.check(file);
        this.in = InputFile.open(file);
    }

    /** Returns the next byte, or {@link #END}. */
    int read() throws IOException {
        return holds(1) ? buffer[position++] & 0xff : END;
    }

    /** Returns the next byte, which must exist. */
    int readByte(String what) throws IOException {
        need(1, what);
        return buffer[position++] & 0xff;
    }

    long readBigEndian(String what) throws IOException {
        need(Long.BYTES, what);
        position += Long.BYTES;
        return (long) BIG_ENDIAN.get(buffer, position - Long.BYTES);
    }

    long readLittleEndian(String what) throws IOException {
        need(Long.BYTES, what);
        position += Long.BYTES;
        return (long) LITTLE_ENDIAN.get(buffer, position - Long.BYTES);
    }

    /** Returns a later byte without consuming it, or {@link #END}. */
    int peek(int ahead) throws IOException {
        return holds(ahead + 1) ? buffer[position + ahead] & 0xff : END;
    }

    void skip(long count, String what) throws IOException {
        long left = count;
        while (left > 0) {
            need(1, what);
            int step = (int) Math.min(left, limit - position);
            position += step;
            left -= step;
        }
    }

    /** Returns the location, for messages, of the byte that was read {@code back} bytes ago, counted from 1. */
    String location(int back) {
        return "byte=" + (bytesBefore + position - back + 1);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    private void need(int count, String what) throws IOException {
        if (!holds(count)) {
            throw BadRowException.of("file ends early")
                    .with("expected=%s bytes=%d", what, bytesBefore + limit)
                    .advise("was it written completely");
        }
    }

    private boolean holds(int count) throws IOException {
        while (limit - position < count) {
            if (position > 0) {
                System.arraycopy(buffer, position, buffer, 0, limit - position);
                bytesBefore += position;
                limit -= position;
                position = 0;
            }
            int read = in.read(buffer, limit, buffer.length - limit);
            if (read < 0) {
                return false;
            }
            limit += read;
        }
        return true;
    }
}
