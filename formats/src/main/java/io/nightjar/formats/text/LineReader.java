package io.nightjar.formats.text;

import io.nightjar.formats.file.CorruptDataException;
import io.nightjar.formats.file.IncompleteRecording;
import io.nightjar.formats.file.InputFile;
import io.nightjar.formats.file.SizeLimit;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Reader of the lines of a file as bytes, one at a time; buffers at most the longest line. */
public final class LineReader implements Closeable {

    private static final int FIRST_SIZE = 1 << 18;
    private static final int MIN_SIZE = 1 << 12;

    private final Path file;
    private final InputStream in;
    private byte[] buffer;
    private int lineStart;
    private int lineEnd;
    private int next; // after the line and its end
    private int limit;
    private long line;
    private boolean isAtEnd;

    public LineReader(Path file) throws IOException {
        InputFile.check(file);
        this.file = file;
        this.buffer = new byte[(int) Math.max(MIN_SIZE, Math.min(FIRST_SIZE, Files.size(file) + 2))];
        this.in = InputFile.openLines(file);
        try {
            skipByteOrderMark();
        } catch (IOException | MalformedHistoryException e) {
            in.close();
            throw e;
        }
    }

    /** Advances to the next line; returns false at the end of the file. */
    public boolean advance() throws IOException {
        int searched = next;
        lineStart = next;
        while (true) {
            int end = endOfLine(searched);
            if (end < limit) {
                lineEnd = end;
                next = end + 1;
                line++;
                return true;
            }
            searched = limit - lineStart;
            if (!fill()) {
                lineEnd = limit;
                next = limit;
                boolean isLine = lineStart < limit && !IncompleteRecording.holds(file); // otherwise it is incomplete
                line += isLine ? 1 : 0;
                return isLine;
            }
            searched += lineStart;
        }
    }

    /** Returns the line number, counted from 1. */
    public long line() {
        return line;
    }

    /**
     * Returns the bytes of the line, {@code bytes()[start()] .. bytes()[end()]}; one more byte follows that may be
     * overwritten.
     */
    public byte[] bytes() {
        return buffer;
    }

    public int start() {
        return lineStart;
    }

    public int end() {
        return lineEnd;
    }

    public String text(int maxLength) {
        int length = Math.min(lineEnd - lineStart, maxLength);
        return new String(buffer, lineStart, length, StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    private int endOfLine(int from) {
        byte[] bytes = buffer;
        int end = limit;
        int at = from;
        while (at < end && bytes[at] != '\n') {
            at++;
        }
        return at;
    }

    private boolean fill() throws IOException {
        if (isAtEnd) {
            return false;
        }
        if (lineStart > 0) {
            System.arraycopy(buffer, lineStart, buffer, 0, limit - lineStart);
            limit -= lineStart;
            lineStart = 0;
        }
        if (limit == buffer.length - 1) {
            if (buffer.length >= SizeLimit.ROW.bytes()) {
                throw tooLong();
            }
            buffer = Arrays.copyOf(buffer, 2 * buffer.length);
        }
        try {
            int count = in.read(buffer, limit, buffer.length - 1 - limit);
            isAtEnd = count < 0;
            limit += Math.max(0, count);
        } catch (CorruptDataException damaged) {
            throw new MalformedHistoryException(
                    InputLocation.line(file.toString(), line + 1), damaged.fault(), damaged);
        }
        return !isAtEnd;
    }

    /** Measures a line that exceeds the limit, to report the sufficient amount of memory. */
    private MalformedHistoryException tooLong() throws IOException {
        long length = limit - lineStart;
        byte[] more = new byte[FIRST_SIZE];
        boolean isEnd = false;
        while (!isEnd) {
            int count = in.read(more, 0, more.length);
            int end = 0;
            while (end < count && more[end] != '\n') {
                end++;
            }
            isEnd = count < 0 || end < count;
            length += end;
        }
        return new MalformedHistoryException(
                InputLocation.line(file.toString(), line + 1),
                InputError.of("line too long")
                        .with("bytes=" + length + " limitBytes=" + SizeLimit.ROW.bytes())
                        .advise(SizeLimit.ROW.advice(length)));
    }

    private void skipByteOrderMark() throws IOException {
        boolean hasMore = true;
        while (limit < 3 && hasMore) {
            hasMore = fill();
        }
        if (limit >= 3 && buffer[0] == (byte) 0xef && buffer[1] == (byte) 0xbb && buffer[2] == (byte) 0xbf) {
            next = 3;
        }
    }
}
