package io.nightjar.formats.jepsen;

import io.nightjar.formats.file.CorruptDataException;
import io.nightjar.formats.file.InputFile;
import io.nightjar.formats.file.NestedValueScanner;
import io.nightjar.formats.file.SizeLimit;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.RowSliceBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Iterator over the operation maps of a file: top-level forms, or the elements of one vector or array.
 *
 * <p>Memory contains only the current operation and the bytes read ahead.
 */
final class OperationStream implements AutoCloseable {

    private static final int FIRST_SIZE = 1 << 18;

    private static final byte NOTHING_OPEN = 0;

    private static final byte[] TAG = "#jepsen".getBytes(StandardCharsets.US_ASCII);

    private final String file;
    private final InputStream in;
    private final EdnScanner scanner;
    private final OperationMap operation;

    private int position;
    private long lineAtPosition = 1;
    private byte closer = NOTHING_OPEN;
    private boolean hasPassedOverText; // skipped text may have contained the closing bracket

    private int start;
    private long line;
    private long ordinal;

    OperationStream(Path path, boolean isJson) throws IOException {
        InputFile.check(path);
        this.file = path.toString();
        this.scanner = new EdnScanner(isJson);
        this.operation = new OperationMap(scanner);
        scanner.bytes = new byte[FIRST_SIZE];
        this.in = InputFile.openLines(path);
        try {
            skipByteOrderMark();
        } catch (IOException | MalformedHistoryException e) {
            in.close();
            throw e;
        }
    }

    /** Returns the operation that {@link #advance} fills. */
    OperationMap operation() {
        return operation;
    }

    /** Returns the first line of the operation, or of the malformed text; counted from 1. */
    long line() {
        return line;
    }

    /** Returns the position of the operation in the file, counted from 1; a malformed text counts as one operation. */
    long ordinal() {
        return ordinal;
    }

    /**
     * Advances to the next operation and finds its members; returns false at the end of the file.
     *
     * @throws BadRowException if the text is not an operation; {@link #passOver} skips it
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

    /** Returns false if the operation continues after the buffered bytes; more have then been read. */
    private boolean scanOperation(int at) throws IOException {
        scanner.reset();
        int brace = scanner.bytes[at] == '#' ? skipTag(at) : at;
        int end = brace < 0 ? brace : operation.scan(brace);
        if (end < 0) {
            fill();
            return false;
        }
        position = end;
        lineAtPosition += scanner.newlines;
        return true;
    }

    private int skipTag(int at) {
        byte[] bytes = scanner.bytes;
        int end = at;
        while (!EdnScanner.isDelimiter(bytes[end])) {
            end++;
        }
        if (end == scanner.limit && !scanner.isLast) {
            return EdnScanner.INCOMPLETE;
        }
        boolean isKnown = end - at >= TAG.length && Arrays.equals(bytes, at, at + TAG.length, TAG, 0, TAG.length);
        if (!isKnown) {
            throw BadRowException.of("unknown tag")
                    .with("tag=%s %s", scanner.text(at, end), scanner.location(at))
                    .advise("an operation is a map, plain or tagged #jepsen.history.Op");
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
                    InputLocation.line(file, line),
                    InputError.of("unexpected text")
                            .with("expected='%c' found=end of file %s", (char) closer, scanner.location(position))
                            .advise("was it written completely"));
        }
    }

    /**
     * Skips the line in which malformed text begins, or an operation whose members were found.
     *
     * @return the skipped text, as far as it is helpful
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
        return new String(
                scanner.bytes, start, Math.min(end - start, RowSliceBuilder.RAW_LENGTH), StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    /** Moves the bytes after the position to the front and reads more. */
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
        } catch (CorruptDataException damaged) {
            throw new MalformedHistoryException(InputLocation.line(file, line), damaged.fault(), damaged);
        }
        bytes[limit] = 0;
        scanner.bytes = bytes;
        scanner.limit = limit;
    }

    /** Measures an operation that exceeds the limit, to report the sufficient amount of memory. */
    private MalformedHistoryException tooLong(byte[] bytes, int limit) throws IOException {
        long length = NestedValueScanner.of(bytes, start, limit, in) + start;
        return new MalformedHistoryException(
                InputLocation.line(file, line),
                InputError.of("operation too long")
                        .with("bytes=" + length + " limitBytes=" + SizeLimit.ROW.bytes() + " " + scanner.location(0))
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
