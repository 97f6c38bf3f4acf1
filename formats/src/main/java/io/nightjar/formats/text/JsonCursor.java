package io.nightjar.formats.text;

import io.nightjar.formats.file.NestedValueScanner;
import io.nightjar.formats.file.SizeLimit;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.SetsFields;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Token-by-token reader of JSON bytes that creates no objects.
 *
 * <p>The input is either one line that is completely in memory, or a stream, of which the bytes after a mark are
 * retained.
 */
public final class JsonCursor {

    /*
     * Layout.
     *
     *   buffer:  ... | retained element ... position ... | 0 | free
     *                  mark                                limit
     *
     * Invariant. The byte at limit is always 0, which no token contains, so that the loops over bytes need no
     * comparison with the limit: they end there, and only then test whether it is a real 0, and read more bytes.
     *
     * Algorithm. When bytes are moved or added, an incomplete token is scanned again from its beginning.
     */

    /** Returned by {@link #peek} at the end of the input. */
    static final int END = 0;

    private static final int NO_MARK = -1;
    private static final int FIRST_SIZE = 1 << 18;
    private static final int MAX_DEPTH = 512;
    private static final int MAX_SAFE_DIGITS = 18; // maximum number of digits that always fit a long

    private @Nullable InputStream in;
    private byte[] buffer;
    private int position;
    private int limit;
    private int mark = NO_MARK;
    private int lineStart;
    private long bytesBefore;
    private @Nullable InputError tooLong; // error for an element that exceeds the buffer, once one has occurred

    /** Whether a string is only skipped: half a surrogate pair is valid JSON, but cannot be read as text. */
    private boolean isSkipping;

    private boolean allowsFraction;
    private boolean isFraction; // of the number read last by readInteger

    private final JsonEscapes escapes = new JsonEscapes(false);
    private byte[] text;
    private int textFrom;
    private int textLength;

    /** Sets the input to a line: {@code bytes[to]} must exist and is overwritten. */
    @SetsFields
    void overLine(byte[] bytes, int from, int to) {
        in = null;
        buffer = bytes;
        position = from;
        lineStart = from;
        limit = to;
        mark = NO_MARK;
        buffer[to] = END;
    }

    /** Sets the input to a stream, which the caller closes. */
    public void overStream(InputStream stream) {
        in = stream;
        buffer = new byte[FIRST_SIZE];
        position = 0;
        limit = 0;
        mark = NO_MARK;
        bytesBefore = 0;
    }

    // ---------------------------------------------------------------- position

    /** Returns the number of bytes before the cursor, in the line or in the stream. */
    public long offset() {
        return in == null ? position - lineStart : bytesBefore + position;
    }

    /** Retains every byte from here on, so that {@link #rewind} and {@link #copy} can access them. */
    public void mark() {
        mark = position;
    }

    /** Moves the cursor back to the mark. */
    public void rewind() {
        position = mark;
    }

    public void forgetMark() {
        mark = NO_MARK;
    }

    /** Returns the location of the cursor for messages; counted from 1. */
    public String location() {
        return (in == null ? "column=" : "byte=") + (offset() + 1);
    }

    /** Returns the bytes from an offset to the cursor as text; invalid UTF-8 becomes replacement characters. */
    public String copy(long fromOffset, int maxLength) {
        int from = index(fromOffset);
        return new String(buffer, from, Math.min(position - from, maxLength), StandardCharsets.UTF_8);
    }

    /**
     * Appends the bytes from an offset to the cursor, a complete JSON value, without white space between its tokens.
     */
    void copyCompact(long fromOffset, Utf8 into) {
        boolean isInString = false;
        for (int i = index(fromOffset); i < position; i++) {
            byte b = buffer[i];
            if (isInString) {
                into.put(b);
                if (b == '\\') {
                    into.put(buffer[++i]);
                }
            } else if (b < 0 || b > ' ') {
                into.put(b);
            }
            if (b == '"') {
                isInString = !isInString;
            }
        }
    }

    private int index(long offset) {
        return (int) (in == null ? lineStart + offset : offset - bytesBefore);
    }

    // ---------------------------------------------------------------- tokens

    /** Skips white space; returns the next byte without consuming it, or {@link #END}. */
    public int peek() throws IOException {
        while (true) {
            byte b = buffer[position];
            if (b > ' ' || b < 0) {
                return b;
            }
            if (b == ' ' || b == '\n' || b == '\r' || b == '\t') {
                position++;
            } else if (position < limit || !more()) {
                return b;
            }
        }
    }

    public boolean isAtEnd() throws IOException {
        return peek() == END && position >= limit;
    }

    /** Consumes the given byte. */
    public void expect(char wanted) throws IOException {
        if (buffer[position] != wanted && peek() != wanted) {
            throw unexpected("'" + wanted + "'");
        }
        position++;
    }

    /** Consumes the given byte, which begins something that messages describe. */
    public void expect(char wanted, String expected) throws IOException {
        if (!take(wanted)) {
            throw unexpected(expected);
        }
    }

    /** Consumes the given byte if it is next. */
    public boolean take(char wanted) throws IOException {
        if (buffer[position] != wanted && peek() != wanted) {
            return false;
        }
        position++;
        return true;
    }

    /**
     * Consumes the separator between the members of an array or object: returns true for a comma, false for the closing
     * byte.
     */
    public boolean takeComma(char closing) throws IOException {
        byte b = buffer[position];
        if (b != ',' && b != closing) {
            b = (byte) peek();
        }
        if (b != ',' && b != closing) {
            throw unexpected("',' or '" + closing + "'");
        }
        position++;
        return b == ',';
    }

    public boolean takeNull() throws IOException {
        if (peek() != 'n') {
            return false;
        }
        literal("null");
        return true;
    }

    public boolean isNumberNext() throws IOException {
        int next = peek();
        return next == '-' || (next >= '0' && next <= '9');
    }

    /** Reads an int64. Rejects fractions, exponents and numbers out of range. */
    public long readLong() throws IOException {
        peek();
        while (true) {
            int at = position;
            boolean isNegative = buffer[at] == '-';
            if (isNegative) {
                at++;
            }
            int firstDigit = at;
            long number = 0;
            int digit = buffer[at] - '0';
            while (digit >= 0 && digit <= 9) {
                number = number * 10 + digit;
                digit = buffer[++at] - '0';
            }
            if (at == limit && more()) {
                continue;
            }
            int digits = at - firstDigit;
            if (digits > MAX_SAFE_DIGITS) {
                number = magnitude(firstDigit, at, isNegative);
            }
            checkNumber(firstDigit, at);
            if (allowsFraction && isFraction) {
                return 0;
            }
            position = at;
            return isNegative ? -number : number;
        }
    }

    /** Returns the value of a long number; Long.MIN_VALUE is permitted if the number is negative. */
    private long magnitude(int firstDigit, int end, boolean isNegative) {
        int at = firstDigit;
        long negative = 0;
        while (at < end) {
            int digit = buffer[at++] - '0';
            if (negative < Long.MIN_VALUE / 10 || negative * 10 < Long.MIN_VALUE + digit) {
                throw outside(firstDigit, end, isNegative);
            }
            negative = negative * 10 - digit;
        }
        if (negative == Long.MIN_VALUE && !isNegative) {
            throw outside(firstDigit, end, false);
        }
        return -negative;
    }

    private BadRowException outside(int firstDigit, int end, boolean isNegative) {
        String digits = new String(buffer, firstDigit, Math.min(end - firstDigit, 40), StandardCharsets.US_ASCII);
        return BadRowException.of("number does not fit int64")
                .with("value=%s%s %s", isNegative ? "-" : "", digits, location())
                .advise("give it as a string");
    }

    private void checkNumber(int firstDigit, int end) {
        if (end == firstDigit) {
            throw unexpected("a number");
        }
        if (buffer[firstDigit] == '0' && end - firstDigit > 1) {
            throw refused(InputError.of("number with a leading zero"));
        }
        int next = buffer[end];
        if (next == '.' || next == 'e' || next == 'E') {
            if (!allowsFraction) {
                throw notAnInteger();
            }
            isFraction = true;
        }
    }

    /** Reads an integer. Reads nothing if the number is not an integer; {@link #isFraction} is then true. */
    long readInteger() throws IOException {
        isFraction = false;
        allowsFraction = true;
        try {
            return readLong();
        } finally {
            allowsFraction = false;
        }
    }

    boolean isTruthValueNext() throws IOException {
        int next = peek();
        return next == 't' || next == 'f';
    }

    boolean isFraction() {
        return isFraction;
    }

    /** Reads a string into {@link #text}, where it is valid until the cursor moves. */
    public void readString() throws IOException {
        if (peek() != '"') {
            throw unexpected("a string");
        }
        while (true) {
            byte[] bytes = buffer;
            int at = position + 1;
            int b = bytes[at];
            while (b != '"' && b != '\\' && b >= ' ') {
                b = bytes[++at];
            }
            if (b == '"') {
                text = bytes;
                textFrom = position + 1;
                textLength = at - textFrom;
                position = at + 1;
                return;
            }
            int end = b == 0 && at == limit ? at : endOfString(at);
            if (end < limit) {
                unescape(position + 1, end);
                position = end + 1;
                return;
            }
            if (!more()) {
                throw refused(InputError.of("string without an end"));
            }
        }
    }

    /** Reads a string in single quotes on a line, which has no escapes, into {@link #text}. */
    @SetsFields
    void readSingleQuoted() throws IOException {
        expect('\'');
        int end = position;
        while (end < limit && buffer[end] != '\'') {
            end++;
        }
        if (end == limit) {
            throw refused(InputError.of("string without an end"));
        }
        if (!Utf8.isWellFormed(buffer, position, end - position)) {
            throw refused(InputError.of("string is not UTF-8"));
        }
        text = buffer;
        textFrom = position;
        textLength = end - position;
        position = end + 1;
    }

    /**
     * Returns the position of the closing quote, searched from a byte inside a string; the limit if it is not in the
     * buffer.
     */
    private int endOfString(int from) {
        int at = from;
        while (at < limit) {
            if (buffer[at] == '"') {
                return at;
            }
            at += buffer[at] == '\\' ? 2 : 1;
        }
        return limit;
    }

    /** Reads a string that has escapes or non-ASCII characters; rejects all other bytes. */
    private void unescape(int from, int end) {
        int fault = escapes.read(buffer, from, end, isSkipping);
        if (fault >= 0) {
            position = fault;
            throw refused(escapes.fault());
        }
        text = escapes.text().bytes;
        textFrom = 0;
        textLength = escapes.text().length;
    }

    /**
     * Reads the name of a member and the colon after it; returns a name of up to eight bytes as {@link #packed}, else
     * 0.
     */
    public long readName() throws IOException {
        // A name of one letter, as in every operation of a compact format, needs no loop; the 0 at limit is not a
        // quote.
        byte[] bytes = buffer;
        int at = position;
        if (bytes[at] == '"'
                && at + 3 < limit
                && bytes[at + 2] == '"'
                && bytes[at + 3] == ':'
                && bytes[at + 1] > '\\') {
            text = bytes;
            textFrom = at + 1;
            textLength = 1;
            position = at + 4;
            return bytes[at + 1];
        }
        readString();
        long name = packedText();
        if (buffer[position] == ':') {
            position++;
            return name;
        }
        String spelled = textString(); // a refill after the name would move its bytes
        expect(':');
        text = spelled.getBytes(StandardCharsets.UTF_8);
        textFrom = 0;
        textLength = text.length;
        return name;
    }

    /** Reads a string and returns its {@link #packed} form; 0 if it is longer than that. */
    public long readPackedString() throws IOException {
        readString();
        return packedText();
    }

    /** Reads an unquoted word of the notation; empty if any other text follows. */
    void readWord() throws IOException {
        peek();
        int at = position;
        while (isWordByte(buffer[at], at > position)) {
            at++;
        }
        text = buffer;
        textFrom = position;
        textLength = at - position;
        position = at;
    }

    /** Returns whether a byte may occur in a word; words begin with a letter or an underscore. */
    static boolean isWordByte(byte b, boolean isInside) {
        if ((b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || b == '_') {
            return true;
        }
        boolean isDigit = b >= '0' && b <= '9';
        return isInside && (isDigit || b == '-' || b == '.' || b == '/' || b == ':' || b == '$');
    }

    /** Returns up to eight ASCII characters in one long, so that names are compared in one operation. */
    public static long packed(String name) {
        long packed = 0;
        for (int i = 0; i < name.length(); i++) {
            packed = packed << 8 | name.charAt(i);
        }
        return packed;
    }

    /** Returns the {@link #packed} form of bytes; 0 if they are too long. */
    public static long packed(byte[] name, int from, int length) {
        if (length > 8) {
            return 0;
        }
        long packed = 0;
        for (int i = from; i < from + length; i++) {
            packed = packed << 8 | name[i] & 0xff;
        }
        return packed;
    }

    /** Returns several names {@link #packed}. */
    static long[] packed(List<String> names) {
        long[] packed = new long[names.size()];
        for (int i = 0; i < packed.length; i++) {
            packed[i] = packed(names.get(i));
        }
        return packed;
    }

    private long packedText() {
        return packed(text, textFrom, textLength);
    }

    public byte[] text() {
        return text;
    }

    public int textFrom() {
        return textFrom;
    }

    public int textLength() {
        return textLength;
    }

    public String textString() {
        return new String(text, textFrom, textLength, StandardCharsets.UTF_8);
    }

    // ---------------------------------------------------------------- whole values

    /** Skips one value of any kind and checks that it is JSON. */
    public void skipValue() throws IOException {
        isSkipping = true;
        try {
            skipNested();
        } finally {
            isSkipping = false;
        }
    }

    private void skipNested() throws IOException {
        boolean[] isObject = new boolean[16];
        int depth = 0;
        boolean wantsValue = true;
        while (wantsValue || depth > 0) {
            if (!wantsValue) {
                wantsValue = takeComma(isObject[depth - 1] ? '}' : ']');
                depth -= wantsValue ? 0 : 1;
                if (wantsValue && isObject[depth - 1]) {
                    readName();
                }
                continue;
            }
            int next = peek();
            if (next != '{' && next != '[') {
                skipScalar(next);
                wantsValue = false;
                continue;
            }
            position++;
            wantsValue = !take(next == '{' ? '}' : ']');
            if (wantsValue) {
                if (depth == MAX_DEPTH) {
                    throw BadRowException.of("nested too deeply").with("depth>" + MAX_DEPTH + " " + location());
                }
                isObject = depth < isObject.length ? isObject : Arrays.copyOf(isObject, 2 * depth);
                isObject[depth++] = next == '{';
                if (next == '{') {
                    readName();
                }
            }
        }
    }

    private void skipScalar(int next) throws IOException {
        switch (next) {
            case '"' -> readString();
            case 't' -> literal("true");
            case 'f' -> literal("false");
            case 'n' -> literal("null");
            default -> skipNumber();
        }
    }

    private void skipNumber() throws IOException {
        int next = peek();
        if (next != '-' && (next < '0' || next > '9')) {
            throw unexpected("a value");
        }
        while (true) {
            int at = position;
            int b = buffer[at];
            while ((b >= '0' && b <= '9') || b == '.' || b == '-' || b == '+' || b == 'e' || b == 'E') {
                b = buffer[++at];
            }
            if (at == limit && more()) {
                continue;
            }
            if (!JsonText.isNumber(buffer, position, at)) {
                throw unexpected("a number");
            }
            position = at;
            return;
        }
    }

    private void literal(String word) throws IOException {
        boolean hasMore = true;
        while (limit - position < word.length() && hasMore) {
            hasMore = more();
        }
        for (int i = 0; i < word.length(); i++) {
            if (position + i >= limit || buffer[position + i] != word.charAt(i)) {
                throw unexpected(word);
            }
        }
        position += word.length();
    }

    // ---------------------------------------------------------------- errors and refills

    // Errors are created here: compilers inline only short methods into the loops that call them.

    private BadRowException refused(InputError fault) {
        return new BadRowException(fault.with(location()));
    }

    private BadRowException notAnInteger() {
        return BadRowException.of("number is not an integer")
                .with(location())
                .advise("only int64 and strings are read");
    }

    /** Creates the error for unexpected input at the cursor. */
    public BadRowException unexpected(String expected) {
        String found =
                position >= limit ? "end of " + (in == null ? "line" : "file") : Utf8.shown(buffer, position, limit);
        return BadRowException.of("unexpected text").with("expected=%s found=%s %s", expected, found, location());
    }

    /** Moves the retained bytes to the front and reads more; returns false at the end of the input. */
    private boolean more() throws IOException {
        if (in == null) {
            return false;
        }
        int kept = mark == NO_MARK ? position : mark;
        if (kept > 0) {
            System.arraycopy(buffer, kept, buffer, 0, limit - kept);
            bytesBefore += kept;
            position -= kept;
            limit -= kept;
            mark = mark == NO_MARK ? NO_MARK : 0;
        }
        if (limit == buffer.length - 1) {
            if (buffer.length >= SizeLimit.ROW.bytes()) {
                throw tooLong();
            }
            buffer = Arrays.copyOf(buffer, 2 * buffer.length);
        }
        int count = in.read(buffer, limit, buffer.length - 1 - limit);
        limit += Math.max(0, count);
        buffer[limit] = END;
        return count > 0;
    }

    /**
     * Measures an element that exceeds the limit, to report the sufficient amount of memory; consumes it from the
     * stream.
     */
    private BadRowException tooLong() throws IOException {
        if (tooLong == null) {
            long bytes = NestedValueScanner.of(buffer, 0, limit, in);
            tooLong = InputError.of("transaction too long")
                    .with("bytes=" + bytes + " limitBytes=" + SizeLimit.ROW.bytes() + " " + location())
                    .advise(SizeLimit.ROW.advice(bytes));
        }
        return new BadRowException(tooLong);
    }
}
