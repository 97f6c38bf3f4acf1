package io.nightjar.formats.jepsen;

import io.nightjar.formats.history.SetsFields;
import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.JsonCursor;
import io.nightjar.formats.text.JsonEscapes;
import io.nightjar.formats.text.JsonText;
import io.nightjar.formats.text.Utf8;
import java.nio.charset.StandardCharsets;

/** One atom or collection found by {@link EdnScanner}: its kind, and its number or name. */
final class EdnForm {

    enum Kind {
        NIL,
        LONG,
        /** A string, keyword or symbol; {@link EdnForm#text} contains its name. */
        NAME,
        /** A decimal or a boolean, whose text is JSON. */
        JSON,
        /** Any other form with a text: a ratio, a character, a collection. */
        OTHER
    }

    private static final int MAX_SAFE_DIGITS = 18; // maximum number of digits that always fit a long

    private final EdnScanner scanner;
    private final JsonEscapes escapes = new JsonEscapes(true);

    Kind kind;
    long number;

    /** The name, or the text of the form in the file; valid until the next form is read. */
    byte[] text;

    int textFrom;
    int textLength;

    EdnForm(EdnScanner scanner) {
        this.scanner = scanner;
    }

    /** Reads the form between two positions. */
    @SetsFields
    Kind read(int from, int to) {
        byte[] bytes = scanner.bytes;
        text = bytes;
        textFrom = from;
        textLength = to - from;
        byte first = bytes[from];
        if ((first >= '0' && first <= '9') || first == '-' || first == '+') {
            kind = readNumber(from, to);
        } else {
            kind = switch (first) {
                case '"' -> readString(from, to);
                case ':' -> readKeyword(from, to);
                case '#' -> readDispatched(from);
                case '\\', '{', '[', '(' -> Kind.OTHER;
                default -> readSymbol();
            };
        }
        if (kind != Kind.LONG && !Utf8.isWellFormed(text, textFrom, textLength)) {
            throw BadRowException.of("text is not UTF-8").with(scanner.location(from));
        }
        return kind;
    }

    /** Returns whether this is a name of up to eight ASCII characters. */
    boolean is(String name) {
        return packed() == JsonCursor.packed(name);
    }

    /** Returns a name as {@link JsonCursor#packed}; 0 for longer names. */
    long packed() {
        return kind == Kind.NAME ? JsonCursor.packed(text, textFrom, textLength) : 0;
    }

    String string() {
        return new String(text, textFrom, textLength, StandardCharsets.UTF_8);
    }

    @SetsFields
    private Kind readSymbol() {
        kind = Kind.NAME;
        if (is("nil") || (scanner.isJson && is("null"))) {
            return Kind.NIL;
        }
        return is("true") || is("false") ? Kind.JSON : Kind.NAME;
    }

    private Kind readKeyword(int from, int to) {
        if (to - from < 2) {
            throw scanner.unexpected(to, "the name of a keyword");
        }
        textFrom++;
        textLength--;
        return Kind.NAME;
    }

    private Kind readDispatched(int from) {
        byte next = scanner.bytes[from + 1];
        if (isTag(next)) {
            int end = from + 1;
            while (!EdnScanner.isDelimiter(scanner.bytes[end])) {
                end++;
            }
            throw BadRowException.of("unknown tag")
                    .with("tag=%s %s", scanner.text(from, end), scanner.location(from))
                    .advise("write the value without it");
        }
        return Kind.OTHER;
    }

    /**
     * Returns whether the byte after a {@code #} begins a tag, and not a set, a symbolic number, a pattern or a
     * variable.
     */
    static boolean isTag(byte next) {
        return next != '{' && next != '#' && next != '"' && next != '\'';
    }

    // ---------------------------------------------------------------- numbers

    private Kind readNumber(int from, int to) {
        byte[] bytes = scanner.bytes;
        boolean isNegative = bytes[from] == '-';
        int firstDigit = isNegative || bytes[from] == '+' ? from + 1 : from;
        int at = firstDigit;
        long negative = 0;
        boolean fits = true;
        while (at < to && bytes[at] >= '0' && bytes[at] <= '9') {
            int digit = bytes[at++] - '0';
            if (at - firstDigit > MAX_SAFE_DIGITS) {
                fits &= negative >= Long.MIN_VALUE / 10 && negative * 10 >= Long.MIN_VALUE + digit;
            }
            negative = negative * 10 - digit;
        }
        int digits = at - firstDigit;
        if (digits == 0) {
            kind = Kind.NAME;
            return readSymbol(); // + and -, and symbols that begin with them
        }
        boolean isInteger = at == to || (at == to - 1 && bytes[at] == 'N');
        if (!isInteger) {
            checkFraction(at, to);
            return JsonText.isNumber(bytes, from, to) ? Kind.JSON : Kind.OTHER;
        }
        if (bytes[firstDigit] == '0' && digits > 1) {
            throw BadRowException.of("number with a leading zero").with(scanner.location(from));
        }
        if (!fits || (negative == Long.MIN_VALUE && !isNegative)) {
            throw BadRowException.of("number does not fit int64")
                    .with("value=%s %s", scanner.text(from, to), scanner.location(from))
                    .advise("give it as a string");
        }
        number = isNegative ? negative : -negative;
        return Kind.LONG;
    }

    private void checkFraction(int from, int to) {
        for (int at = from; at < to; at++) {
            byte b = scanner.bytes[at];
            boolean isNumberChar = (b >= '0' && b <= '9') || ".eE+-/M".indexOf(b) >= 0;
            if (!isNumberChar) {
                throw scanner.unexpected(at, "the rest of a number");
            }
        }
    }

    // ---------------------------------------------------------------- strings

    private Kind readString(int from, int to) {
        byte[] bytes = scanner.bytes;
        textFrom = from + 1;
        textLength = to - from - 2;
        for (int at = textFrom; at < to - 1; at++) {
            if (bytes[at] == '\\') {
                unescape(textFrom, to - 1);
                return Kind.NAME;
            }
        }
        return Kind.NAME;
    }

    private void unescape(int from, int end) {
        int fault = escapes.read(scanner.bytes, from, end, false);
        if (fault >= 0) {
            throw new BadRowException(escapes.fault().with(scanner.location(fault)));
        }
        text = escapes.text().bytes;
        textFrom = 0;
        textLength = escapes.text().length;
    }
}
