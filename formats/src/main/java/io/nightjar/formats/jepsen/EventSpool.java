package io.nightjar.formats.jepsen;

import io.nightjar.formats.file.AtomicFile;
import io.nightjar.formats.text.Utf8;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;

/** The texts of events, stored in an unnamed file in the folder of the output until their order is determined. */
final class EventSpool implements AutoCloseable {

    private static final int ENOUGH = 1 << 16;

    private final FileChannel channel;
    private final Utf8 pending = new Utf8();
    private long written;

    private int count;
    private long[] offsetOf = new long[256]; // one entry more than events

    EventSpool(Path output) throws IOException {
        this.channel = AtomicFile.openNameless(output);
    }

    /** Returns the buffer for the text of the next event, before {@link #end}. */
    Utf8 text() {
        return pending;
    }

    /** Completes the text of an event; returns the ordinal of the event. */
    int end() throws IOException {
        if (count + 2 > offsetOf.length) {
            offsetOf = Arrays.copyOf(offsetOf, offsetOf.length + (offsetOf.length >> 1));
        }
        offsetOf[count + 1] = written + pending.length;
        if (pending.length >= ENOUGH) {
            flush();
        }
        return count++;
    }

    /** Completes the spool after the last event: texts can then be copied. */
    void flush() throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(pending.bytes, 0, pending.length);
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        written += pending.length;
        pending.clear();
    }

    void copy(int event, Utf8 into) throws IOException {
        int length = Math.toIntExact(offsetOf[event + 1] - offsetOf[event]);
        if (pending.bytes.length < length) {
            pending.bytes = new byte[length];
        }
        ByteBuffer bytes = ByteBuffer.wrap(pending.bytes, 0, length);
        while (bytes.hasRemaining()) {
            if (channel.read(bytes, offsetOf[event] + bytes.position()) < 0) {
                throw new IOException("file of events was cut short while it was in use: event=" + event);
            }
        }
        into.put(pending.bytes, 0, length);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
