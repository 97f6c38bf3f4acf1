package io.nightjar.formats.jepsen;

import io.nightjar.formats.history.SetsFields;
import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Scanner for the boundaries of EDN forms or JSON values.
 *
 * <p>Recognizes brackets, strings, characters, comments, discards and tags; it does not interpret atoms. A form whose
 * end is not yet in the buffer is {@link #INCOMPLETE} and is scanned again when more bytes are available.
 */
final class EdnScanner {

    /*
     * Layout. The buffer is
     *
     *   bytes:  ... ( form  form  form ) ... | 0 | free
     *                                        limit
     *
     * Invariant. The byte at limit is 0, which no token contains, so that loops over bytes end there without a bounds
     * check; only then the scanner tests whether that position is the limit and whether more bytes follow.
     *
     * Algorithm. JSON is scanned like EDN: commas are white space in both, and a colon after a name is skipped.
     */

    /** Returned instead of a position if the form continues after the available bytes. */
    static final int INCOMPLETE = -1;

    static final int MAX_DEPTH = 256;

    private static final byte SPACE = 1;
    private static final byte BRACKET = 2;
    private static final byte OTHER_END = 3;

    /** Bytes that end an atom. */
    private static final byte[] DELIMITERS = new byte[256];

    /** Bytes inside a collection that need handling and are not simply skipped. */
    private static final boolean[] STOPS = new boolean[256];

    static {
        for (char space : " \t\n\r\f,".toCharArray()) {
            DELIMITERS[space] = SPACE;
        }
        for (char bracket : "()[]{}".toCharArray()) {
            DELIMITERS[bracket] = BRACKET;
            STOPS[bracket] = true;
        }
        DELIMITERS['"'] = OTHER_END;
        DELIMITERS[';'] = OTHER_END;
        DELIMITERS[0] = OTHER_END;
        for (char stop : "\"\\;\n\0".toCharArray()) {
            STOPS[stop] = true;
        }
    }

    final boolean isJson;
    byte[] bytes;
    int limit;
    boolean isLast;

    /** Bytes of the file before {@code bytes[0]}. */
    long bytesBefore;

    /** Number of skipped line ends; reset by the caller that counts them. */
    int newlines;

    private byte[] closers = new byte[16];
    private int tagDepth;

    EdnScanner(boolean isJson) {
        this.isJson = isJson;
    }

    /** Sets the buffer to bytes that are the complete input; {@code all[length]} must exist and is overwritten. */
    @SetsFields
    void over(byte[] all, int length) {
        bytes = all;
        limit = length;
        isLast = true;
        all[length] = 0;
    }

    /** Restarts the count of lines. */
    void reset() {
        newlines = 0;
        tagDepth = 0;
    }

    static boolean isDelimiter(byte b) {
        return DELIMITERS[b & 0xff] != 0;
    }

    /** Skips white space, comments and discarded forms; returns the position of the next form, or the limit. */
    int skipBlank(int from) {
        int at = from;
        int discards = 0;
        while (true) {
            byte b = bytes[at];
            if (DELIMITERS[b & 0xff] == SPACE) {
                newlines += b == '\n' ? 1 : 0;
                at++;
            } else if (b == ';' && !isJson) {
                at = endOfLine(at);
            } else if (b == '#' && bytes[at + 1] == '_') {
                discards++;
                at += 2;
            } else if (b == 0 && at == limit) {
                return isLast && discards == 0 ? at : ended(at);
            } else if (b == '#' && at + 1 == limit && !isLast) {
                return INCOMPLETE;
            } else if (discards > 0) {
                discards--;
                at = skipNested(at);
                if (at < 0) {
                    return INCOMPLETE;
                }
            } else {
                return at;
            }
        }
    }

    /** Returns the end of the form that begins at a position. */
    int skipForm(int from) {
        int at = from;
        while (true) {
            byte b = bytes[at];
            switch (b) {
                case '{', '[', '(' -> {
                    return skipCollection(at);
                }
                case '"' -> {
                    return skipString(at);
                }
                case '\\' -> {
                    return at + 1 >= limit ? ended(at + 1) : skipAtom(at + 2);
                }
                case '#' -> {
                    byte next = bytes[at + 1];
                    if (next == '{') {
                        return skipCollection(at + 1);
                    }
                    if (next == '#' || next == '\'') {
                        return skipAtom(at + 2);
                    }
                    if (next == '"') {
                        return skipString(at + 1);
                    }
                    if (at + 1 == limit) {
                        return ended(at + 1);
                    }
                    at = skipTag(at);
                    if (at < 0) {
                        return INCOMPLETE;
                    }
                }
                case '}', ']', ')', ';' -> throw unexpected(at, "a value");
                default -> {
                    if (b == 0 && at == limit) {
                        return ended(at);
                    }
                    int end = skipAtom(at);
                    if (end == at) {
                        throw unexpected(at, "a value");
                    }
                    return end;
                }
            }
        }
    }

    /** Returns the position of the form that follows a tag. */
    private int skipTag(int hash) {
        int end = skipAtom(hash + 1);
        if (end < 0) {
            return INCOMPLETE;
        }
        if (end == hash + 1) {
            throw unexpected(hash + 1, "a tag");
        }
        int form = skipBlankNested(end);
        return form == limit ? ended(form) : form;
    }

    /** Skips a form inside a discard; such nesting is bounded, because the method recurses. */
    private int skipNested(int from) {
        enter(from);
        int end = skipForm(from);
        tagDepth--;
        return end;
    }

    private int skipBlankNested(int from) {
        enter(from);
        int end = skipBlank(from);
        tagDepth--;
        return end;
    }

    private void enter(int from) {
        if (tagDepth == MAX_DEPTH) {
            throw tooDeep(from);
        }
        tagDepth++;
    }

    private int skipCollection(int from) {
        byte[] text = bytes;
        int depth = 0;
        int at = from;
        while (true) {
            byte b = text[at];
            while (!STOPS[b & 0xff]) {
                b = text[++at];
            }
            switch (b) {
                case '{', '[', '(' -> {
                    if (depth == closers.length) {
                        grow(at);
                    }
                    closers[depth++] = (byte) (b == '(' ? ')' : b + 2);
                    at++;
                }
                case '}', ']', ')' -> {
                    if (closers[--depth] != b) {
                        throw unexpected(at, "'" + (char) closers[depth] + "'");
                    }
                    at++;
                    if (depth == 0) {
                        return at;
                    }
                }
                case '"' -> at = skipString(at);
                case '\\' -> at = at + 1 >= limit ? ended(at + 1) : at + 2;
                case ';' -> at = isJson ? at + 1 : endOfLine(at);
                case '\n' -> {
                    newlines++;
                    at++;
                    checkNoOperation(at);
                }
                default -> at = at == limit ? ended(at) : at + 1;
            }
            if (at < 0) {
                return INCOMPLETE;
            }
        }
    }

    /** Reports a missing bracket early: a line inside an operation begins like a new operation. */
    private void checkNoOperation(int at) {
        if (!isJson && bytes[at] == '{' && bytes[at + 1] == ':') {
            throw BadRowException.of("brackets are not balanced")
                    .with("next-operation-%s", location(at))
                    .advise("close the operation before the next line");
        }
    }

    private int skipString(int from) {
        int at = from + 1;
        while (true) {
            byte b = bytes[at];
            if (b == '"') {
                return at + 1;
            }
            if (b == 0 && at == limit) {
                return ended(at);
            }
            newlines += b == '\n' ? 1 : 0;
            at++;
            if (b == '\\') {
                if (at == limit) {
                    return ended(at);
                }
                at++;
            }
        }
    }

    /** Returns the end of an atom, from a position inside of it. */
    private int skipAtom(int from) {
        int at = from;
        while (DELIMITERS[bytes[at] & 0xff] == 0) {
            at++;
        }
        return at == limit && !isLast ? INCOMPLETE : at;
    }

    private int endOfLine(int from) {
        int at = from;
        while (bytes[at] != '\n' && (bytes[at] != 0 || at < limit)) {
            at++;
        }
        return at;
    }

    private int ended(int at) {
        if (isLast) {
            throw unexpected(Math.min(at, limit), "the rest of the operation");
        }
        return INCOMPLETE;
    }

    private void grow(int at) {
        if (closers.length >= MAX_DEPTH) {
            throw tooDeep(at);
        }
        closers = Arrays.copyOf(closers, 2 * closers.length);
    }

    private BadRowException tooDeep(int at) {
        return BadRowException.of("nested too deeply").with("depth>" + MAX_DEPTH + " " + location(at));
    }

    // ---------------------------------------------------------------- messages

    /** Creates the error for unexpected text at a position. */
    BadRowException unexpected(int at, String expected) {
        String found = at >= limit ? "end of file" : Utf8.shown(bytes, at, limit);
        return BadRowException.of("unexpected text").with("expected=%s found=%s %s", expected, found, location(at));
    }

    String location(int at) {
        return "byte=" + (bytesBefore + at + 1);
    }

    /** Returns a part of the file for a message. */
    String text(int from, int to) {
        return new String(bytes, from, Math.min(to - from, 40), StandardCharsets.UTF_8);
    }
}
