package io.nightjar.formats.jepsen;

import io.nightjar.formats.file.DamagedDataException;
import io.nightjar.formats.file.InputFile;
import io.nightjar.formats.file.NestedLength;
import io.nightjar.formats.file.SizeLimit;
import io.nightjar.formats.history.InputFault;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.Place;
import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.RowSink;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The operation maps of a file, one after another: in a row, or inside of one vector or array.
 *
 * <p>Holds no more of the file than the operation it stands on and what was read ahead.
 */
final class OperationStream implements AutoCloseable {

    private static final int FIRST_SIZE = 1 << 18;

    /** The longest operation that is read, as a bound on memory. */
    private static final byte NOTHING_OPEN = 0;

    private static final byte[] TAG = "#jepsen".getBytes(StandardCharsets.US_ASCII);

    private final String file;
    private final InputStream in;
    private final FormScanner scanner;
    private final Operation operation;

    private int position;
    private long lineAtPosition = 1;
    private byte closer = NOTHING_OPEN;
    private boolean hasPassedOverText; // which the closing bracket may have been in

    private int start;
    private long line;
    private long ordinal;

    OperationStream(Path path, boolean isJson) throws IOException {
        InputFile.check(path);
        this.file = path.toString();
        this.scanner = new FormScanner(isJson);
        this.operation = new Operation(scanner);
        scanner.bytes = new byte[FIRST_SIZE];
        this.in = InputFile.openLines(path);
        try {
            skipByteOrderMark();
        } catch (IOException | MalformedHistoryException e) {
            in.close();
            throw e;
        }
    }

    /** Where {@link #advance} puts what it finds. */
    Operation operation() {
        return operation;
    }

    /** The line that the operation begins in, or the bad text; counted from 1. */
    long line() {
        return line;
    }

    /** The position of the operation in the file, counted from 1; a bad text counts as one. */
    long ordinal() {
        return ordinal;
    }

    /**
     * Steps to the next operation and finds its members; false at the end of the file.
     *
     * @throws BadRowException if there is something else; {@link #passOver} steps behind it
     */
    boolean advance() throws IOException {
        ordinal++;
        while (true) {
            scanner.reset();
            line = lineAtPosition;
            start = position;
            int at = scanner.skipBlank(position);
            if (at < 0) {
                fill();
                continue;
            }
            lineAtPosition += scanner.newlines;
            position = at;
            line = lineAtPosition;
            start = at;
            if (at == scanner.limit && scanner.isLast) {
                checkClosed();
                return false;
            }
            byte b = scanner.bytes[at];
            if (b == '{' || b == '#') {
                if (scanOperation(at)) {
                    return true;
                }
            } else if (closer == NOTHING_OPEN && (b == '[' || b == '(')) {
                closer = (byte) (b == '[' ? ']' : ')');
                position++;
            } else if (closer != NOTHING_OPEN && b == closer) {
                closer = NOTHING_OPEN;
                position++;
            } else {
                throw scanner.unexpected(at, "an operation, which is a map");
            }
        }
    }

    /** False if the operation goes on behind the bytes that were there; more have then been read. */
    private boolean scanOperation(int at) throws IOException {
        scanner.reset();
        int brace = scanner.bytes[at] == '#' ? behindTag(at) : at;
        int end = brace < 0 ? brace : operation.scan(brace);
        if (end < 0) {
            fill();
            return false;
        }
        position = end;
        lineAtPosition += scanner.newlines;
        return true;
    }

    private int behindTag(int at) {
        byte[] bytes = scanner.bytes;
        int end = at;
        while (!FormScanner.isDelimiter(bytes[end])) {
            end++;
        }
        if (end == scanner.limit && !scanner.isLast) {
            return FormScanner.INCOMPLETE;
        }
        boolean isKnown = end - at >= TAG.length && Arrays.equals(bytes, at, at + TAG.length, TAG, 0, TAG.length);
        if (!isKnown) {
            throw new BadRowException(InputFault.of("unknown tag")
                    .with("tag=%s %s", scanner.text(at, end), scanner.place(at))
                    .advise("an operation is a map, plain or tagged #jepsen.history.Op"));
        }
        int brace = scanner.skipBlank(end);
        if (brace >= 0 && scanner.bytes[brace] != '{') {
            throw scanner.unexpected(brace, "'{'");
        }
        return brace;
    }

    private void checkClosed() {
        if (closer != NOTHING_OPEN && !hasPassedOverText) {
            throw new MalformedHistoryException(
                    Place.line(file, line),
                    InputFault.of("unexpected text")
                            .with("expected='%c' found=end of file %s", (char) closer, scanner.place(position))
                            .advise("was it written completely"));
        }
    }

    /**
     * Steps behind the line that bad text begins in, or behind an operation whose members were found.
     *
     * @return what it says, as far as it helps
     */
    String passOver(boolean isFound) throws IOException {
        if (isFound) {
            return raw(operation.to);
        }
        hasPassedOverText = true;
        position = start;
        lineAtPosition = line;
        int searched = position;
        while (true) {
            byte[] bytes = scanner.bytes;
            int end = searched;
            while (end < scanner.limit && bytes[end] != '\n') {
                end++;
            }
            if (end < scanner.limit || scanner.isLast) {
                String raw = raw(end);
                boolean isLine = end < scanner.limit;
                position = isLine ? end + 1 : end;
                lineAtPosition += isLine ? 1 : 0;
                return raw;
            }
            int known = end - position;
            fill();
            searched = position + known;
        }
    }

    private String raw(int end) {
        return new String(scanner.bytes, start, Math.min(end - start, RowSink.RAW_LENGTH), StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    /** Reads more bytes behind those from the position on, which move to the front. */
    private void fill() throws IOException {
        byte[] bytes = scanner.bytes;
        int limit = scanner.limit;
        if (position > 0) {
            System.arraycopy(bytes, position, bytes, 0, limit - position);
            scanner.bytesBefore += position;
            limit -= position;
            start -= position;
            position = 0;
        }
        if (limit >= bytes.length - 2) {
            if (bytes.length >= SizeLimit.ROW.bytes()) {
                throw tooLong(bytes, limit);
            }
            bytes = Arrays.copyOf(bytes, 2 * bytes.length);
        }
        try {
            int count = in.read(bytes, limit, bytes.length - 2 - limit);
            scanner.isLast = count < 0;
            limit += Math.max(0, count);
        } catch (DamagedDataException damaged) {
            throw new MalformedHistoryException(Place.line(file, line), damaged.fault(), damaged);
        }
        bytes[limit] = 0;
        scanner.bytes = bytes;
        scanner.limit = limit;
    }

    /** Finds out how long the operation is, so that it can be said what would do. */
    private MalformedHistoryException tooLong(byte[] bytes, int limit) throws IOException {
        long length = NestedLength.of(bytes, start, limit, in) + start;
        return new MalformedHistoryException(
                Place.line(file, line),
                InputFault.of("operation too long")
                        .with("bytes=" + length + " limitBytes=" + SizeLimit.ROW.bytes() + " " + scanner.place(0))
                        .advise(SizeLimit.ROW.advice(length)));
    }

    private void skipByteOrderMark() throws IOException {
        while (scanner.limit < 3 && !scanner.isLast) {
            fill();
        }
        byte[] bytes = scanner.bytes;
        if (scanner.limit >= 3 && bytes[0] == (byte) 0xef && bytes[1] == (byte) 0xbb && bytes[2] == (byte) 0xbf) {
            position = 3;
        }
    }
}
