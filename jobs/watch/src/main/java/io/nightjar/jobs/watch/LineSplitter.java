package io.nightjar.jobs.watch;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.NumberedRows;
import io.nightjar.formats.text.LineDecoder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Splits arriving bytes into lines, and passes their transactions to the inbox. An incomplete line waits for its end.
 */
final class LineSplitter {

    private static final int FIRST_SIZE = 1 << 18;
    private static final int MAX_LINE_BYTES = 1 << 28;
    private static final int MAX_LINES = 1 << 11; // given to the inbox at once: little memory, and mostly in the cache

    private final String name;
    private final ArrivalSink inbox;
    private final LineDecoder decoder;
    private FilePrefixHash head = new FilePrefixHash();
    private byte[] buffer = new byte[FIRST_SIZE];
    private int start; // of the line that is not complete
    private int searched;
    private int limit;
    private long bytesDecoded;
    private long linesGiven; // to the inbox

    /** Creates a splitter of rows that contain their numbers. */
    LineSplitter(String name, ArrivalSink inbox) {
        this(name, inbox, new NumberedRows(inbox.badRows()));
    }

    /** @param badRows may permit that rows are counted */
    LineSplitter(String name, ArrivalSink inbox, BadRowHandler badRows) {
        this.name = name;
        this.inbox = inbox;
        this.decoder = new LineDecoder(name, badRows);
    }

    /**
     * Resumes at the position of an earlier feed.
     *
     * @param before hash of the bytes up to there
     */
    void resumeAt(FeedPosition position, FilePrefixHash before) {
        head = before;
        bytesDecoded = position.bytes();
        decoder.skipTo(position.lines());
    }

    /** Returns whether a file begins with the bytes read so far, as far as their hash covers them. */
    boolean isOf(Path file) throws IOException {
        return head.isOf(file);
    }

    /** Reads once and decodes the complete lines; returns the number of bytes read, or -1 at the end. */
    int read(InputStream in) throws IOException, InterruptedException {
        ensureCapacity();
        int count = in.read(buffer, limit, buffer.length - 1 - limit);
        if (count > 0) {
            limit += count;
            takeLines();
        }
        return count;
    }

    private void ensureCapacity() throws IOException {
        if (start > 0 && limit > buffer.length / 2) {
            System.arraycopy(buffer, start, buffer, 0, limit - start);
            searched -= start;
            limit -= start;
            start = 0;
        }
        if (limit >= buffer.length - 1) {
            if (buffer.length >= MAX_LINE_BYTES) {
                throw new IOException(
                        "[" + name + " line=" + (decoder.lines() + 1) + "] line too long: bytes=" + limit);
            }
            buffer = Arrays.copyOf(buffer, buffer.length * 2);
        }
    }

    private void takeLines() throws InterruptedException {
        for (int at = lineEnd(searched); at < limit; at = lineEnd(at + 1)) {
            takeLine(at, at + 1);
            start = at + 1;
            if (decoder.isFull() || decoder.lines() - linesGiven >= MAX_LINES) {
                flush();
            }
        }
        searched = limit;
    }

    /** Returns the index of the next line end, or the limit. */
    private int lineEnd(int from) {
        byte[] bytes = buffer;
        int end = limit;
        int at = from;
        while (at < end && bytes[at] != '\n') {
            at++;
        }
        return at;
    }

    /** @param next index after the line and its end; the decoder overwrites the byte at {@code end} */
    private void takeLine(int end, int next) {
        int from = start;
        boolean isMarked = bytesDecoded == 0
                && end - from >= 3
                && buffer[from] == (byte) 0xEF
                && buffer[from + 1] == (byte) 0xBB
                && buffer[from + 2] == (byte) 0xBF;
        head.add(buffer, from, next - from);
        decoder.line(buffer, isMarked ? from + 3 : from, end);
        bytesDecoded += next - from;
    }

    /** Passes the decoded transactions and malformed rows to the inbox. */
    void flush() throws InterruptedException {
        inbox.put(decoder.take(), position());
        linesGiven = decoder.lines();
    }

    /** Ends the input; a last line without a line end counts. */
    void end() throws InterruptedException {
        if (start < limit) {
            takeLine(limit, limit);
            start = limit;
            searched = limit;
        }
        flush();
    }

    /** Returns whether the last line is incomplete. */
    boolean isTorn() {
        return start < limit;
    }

    FeedPosition position() {
        return new FeedPosition(name, bytesDecoded, decoder.lines(), head.value());
    }
}
