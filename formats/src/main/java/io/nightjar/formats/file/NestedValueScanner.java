package io.nightjar.formats.file;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Measures a bracketed value of JSON or EDN that is too long to be buffered: counts brackets and skips only strings,
 * characters and comments, which may contain brackets.
 */
public final class NestedValueScanner {

    private static final int READ_AT_ONCE = 1 << 18;

    private int depth;
    private boolean isText;
    private boolean isEscaped;
    private boolean isComment;
    private boolean isOver;

    private NestedValueScanner() {}

    /**
     * Returns the number of bytes from the beginning of a value to its end, or to the end of the input.
     *
     * @param held contains the value in {@code from} to {@code to}
     * @param rest the input after {@code to}
     */
    public static long of(byte[] held, int from, int to, @Nullable InputStream rest) throws IOException {
        NestedValueScanner length = new NestedValueScanner();
        long bytes = length.take(held, from, to);
        byte[] more = new byte[READ_AT_ONCE];
        while (!length.isOver) {
            int count = rest == null ? -1 : rest.read(more, 0, more.length);
            if (count < 0) {
                return bytes;
            }
            bytes += length.take(more, 0, count);
        }
        return bytes;
    }

    /** Returns how many of these bytes belong to the value. */
    private int take(byte[] bytes, int from, int to) {
        for (int at = from; at < to; at++) {
            if (closes(bytes[at])) {
                isOver = true;
                return at + 1 - from;
            }
        }
        return to - from;
    }

    /** Returns whether this byte closes the first bracket. */
    private boolean closes(byte next) {
        if (isEscaped) {
            isEscaped = false;
            return false;
        }
        if (isComment) {
            isComment = next != '\n';
            return false;
        }
        switch (next) {
            case '\\' -> isEscaped = true;
            case '"' -> isText = !isText;
            case ';' -> isComment = !isText;
            case '{', '[', '(' -> depth += isText ? 0 : 1;
            case '}', ']', ')' -> {
                depth -= isText ? 0 : 1;
                return !isText && depth <= 0;
            }
            default -> {}
        }
        return false;
    }
}
