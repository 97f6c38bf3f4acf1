package io.nightjar.jobs.watch;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.NumberedRows;
import io.nightjar.formats.text.LineDecoder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;

/** Cuts bytes as they arrive into lines, and gives what they hold to the inbox. A line without its end waits for it. */
final class LineSplitter {

    private static final int FIRST_SIZE = 1 << 18;
    private static final int MAX_LINE_BYTES = 1 << 28;

    private final String name;
    private final RowFeed feed;
    private final ArrivalSink inbox;
    private final LineDecoder decoder;
    private FilePrefixHash head = new FilePrefixHash();
    private byte[] buffer = new byte[FIRST_SIZE];
    private int start; // of the line that is not complete
    private int searched;
    private int limit;
    private long bytesDecoded;
    private long lastGiven;

    /** Rows say their numbers themselves. */
    LineSplitter(String name, RowFeed feed, ArrivalSink inbox) {
        this(name, feed, inbox, new NumberedRows(inbox.badRows()));
    }

    /** @param badRows which say whether rows may be counted */
    LineSplitter(String name, RowFeed feed, ArrivalSink inbox, BadRowHandler badRows) {
        this.name = name;
        this.feed = feed;
        this.inbox = inbox;
        this.decoder = new LineDecoder(name, badRows);
    }

    /**
     * Continues where another feed left off.
     *
     * @param before what the file begins with
     */
    void goOnAt(FeedPosition position, FilePrefixHash before) {
        head = before;
        bytesDecoded = position.bytes();
        decoder.skipTo(position.lines());
    }

    /** Whether a file begins with what has been read, as far as that is remembered. */
    boolean isOf(Path file) throws IOException {
        return head.isOf(file);
    }

    /** Reads once and takes the lines that are complete; returns how many bytes came, or -1 at the end. */
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
        for (int at = searched; at < limit; at++) {
            if (buffer[at] == '\n') {
                takeLine(at, at + 1);
                start = at + 1;
                if (decoder.isFull()) {
                    flush();
                }
            }
        }
        searched = limit;
    }

    /** @param next what comes behind the line and its end, which the decoder overwrites */
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

    /** Gives on what has been decoded. */
    void flush() throws InterruptedException {
        HistorySlice slice = decoder.take();
        if (slice != null) {
            lastGiven = decoder.lines();
            inbox.put(slice, feed, position());
        }
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

    /** How many lines there were up to the last transaction that was given on. */
    long lastGiven() {
        return lastGiven;
    }

    /** Whether a line waits for its end. */
    boolean isTorn() {
        return start < limit;
    }

    FeedPosition position() {
        return new FeedPosition(name, bytesDecoded, decoder.lines(), head.value());
    }
}
