package io.nightjar.formats.table;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.SwarBytes;
import java.nio.charset.StandardCharsets;

/** The value of one column in the current row; the next row overwrites it. */
public final class Cell {

    /** Kind of a cell's content. */
    public enum Kind {
        NULL,
        LONG,
        DOUBLE,
        /** Text that is typed or quoted: never a number. */
        STRING,
        /** Untyped text: a number if it is spelled like a number. */
        PLAIN
    }

    private static final byte[] NO_BYTES = {};
    private static final int MAX_SAFE_DIGITS = 18; // maximum number of digits that always fit a long
    private static final double TWO_TO_53 = 1L << 53;

    private Kind kind = Kind.NULL;
    private long number;
    private double floating;
    private byte[] bytes = NO_BYTES;
    private int from;
    private int length;
    private byte[] buffer = new byte[32];

    // Cached result of parsing text as an integer, which is requested more than once.
    private boolean isParsed;
    private boolean isParsedInteger;

    // ---------------------------------------------------------------- setting

    public void setNull() {
        kind = Kind.NULL;
    }

    public void setLong(long value) {
        kind = Kind.LONG;
        number = value;
    }

    public void setDouble(double value) {
        kind = Double.isNaN(value) ? Kind.NULL : Kind.DOUBLE; // data frames represent null as NaN
        floating = value;
    }

    /** Sets text whose bytes must not change until the next row. */
    public void setText(Kind of, byte[] utf8, int offset, int count) {
        kind = of;
        bytes = utf8;
        from = offset;
        length = count;
        isParsed = false;
    }

    /** Sets the number that the text spells, if the reader has parsed it; negative if it has not. */
    void setNumber(long of) {
        if (of >= 0) {
            number = of;
            isParsed = true;
            isParsedInteger = true;
        }
    }

    /** Returns an array for the bytes of this cell, for readers that have characters. */
    byte[] reserve(int count) {
        if (buffer.length < count) {
            buffer = new byte[Math.max(count, 2 * buffer.length)];
        }
        return buffer;
    }

    public void setString(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        setText(Kind.STRING, utf8, 0, utf8.length);
    }

    // ---------------------------------------------------------------- kind

    public boolean isNull() {
        return kind == Kind.NULL;
    }

    public Kind kind() {
        return kind;
    }

    /**
     * Returns whether the value is an int64, or an equal floating-point number, which data frames use for columns with
     * nulls.
     */
    public boolean isInteger() {
        return switch (kind) {
            case LONG -> true;
            case DOUBLE -> isWhole(floating);
            case PLAIN -> isPlainInteger();
            case NULL, STRING -> false;
        };
    }

    /** Returns whether the value is a number that is not an int64: a fraction, or too large. */
    public boolean isOtherNumber() {
        return kind == Kind.DOUBLE && !isWhole(floating) || kind == Kind.PLAIN && !isPlainInteger() && isNumber();
    }

    /** Returns whether text is an array, the exported form of lists. */
    public boolean isArray() {
        return isText() && length >= 2 && bytes[from] == '[' && bytes[from + length - 1] == ']';
    }

    private boolean isText() {
        return kind == Kind.STRING || kind == Kind.PLAIN;
    }

    private static boolean isWhole(double value) {
        return Math.abs(value) <= TWO_TO_53 && value == Math.rint(value);
    }

    private boolean isPlainInteger() {
        if (!isParsed) {
            isParsedInteger = parse();
            isParsed = true;
        }
        return isParsedInteger;
    }

    private boolean parse() {
        int at = from;
        int end = from + length;
        boolean isNegative = at < end && bytes[at] == '-';
        at += isNegative ? 1 : 0;
        int first = at;
        if (at < end && end - at <= 2 * SwarBytes.COUNT && (bytes[at] != '0' || end - at == 1)) {
            long quick = SwarBytes.number(bytes, end, end - at);
            if (quick >= 0) {
                number = isNegative ? -quick : quick;
                return true;
            }
        }
        long value = 0;
        while (at < end && bytes[at] >= '0' && bytes[at] <= '9') {
            value = value * 10 + (bytes[at++] - '0');
        }
        int digits = at - first;
        if (digits == 0 || bytes[first] == '0' && digits > 1) {
            return false;
        }
        number = isNegative ? -value : value;
        if (at == end && digits <= MAX_SAFE_DIGITS) {
            return true;
        }
        boolean isInteger = at == end ? fits() : bytes[at] == '.' && isWholeText();
        if (isInteger) {
            number = at == end ? Long.parseLong(text()) : (long) Double.parseDouble(text());
        }
        return isInteger;
    }

    /** Returns whether text such as 1.0 is a whole number. */
    private boolean isWholeText() {
        return isNumber() && isWhole(Double.parseDouble(text()));
    }

    private boolean fits() {
        try {
            Long.parseLong(text());
            return true;
        } catch (NumberFormatException tooLarge) {
            return false;
        }
    }

    private boolean isNumber() {
        boolean hasDigit = false;
        for (int at = from; at < from + length; at++) {
            byte b = bytes[at];
            boolean isDigit = b >= '0' && b <= '9';
            boolean isSign = (b == '-' || b == '+') && (at == from || bytes[at - 1] == 'e' || bytes[at - 1] == 'E');
            if (!isDigit && !isSign && b != '.' && !(hasDigit && (b == 'e' || b == 'E'))) {
                return false;
            }
            hasDigit |= isDigit;
        }
        if (!hasDigit || length > 1 && bytes[from] == '0' && bytes[from + 1] >= '0' && bytes[from + 1] <= '9') {
            return false; // 007 is a name, not a number
        }
        try {
            Double.parseDouble(text());
            return true;
        } catch (NumberFormatException malformed) {
            return false;
        }
    }

    // ---------------------------------------------------------------- content

    /** Returns the number; valid if {@link #isInteger}. */
    public long longValue() {
        return kind == Kind.DOUBLE ? (long) floating : number;
    }

    double doubleValue() {
        return floating;
    }

    /** Returns the integer of a column that requires one, also if quoted. */
    public long integer(String column) {
        if (!isInteger()) {
            boolean isQuoted = kind == Kind.STRING && isPlainInteger();
            if (!isQuoted) {
                throw BadRowException.of("not an integer")
                        .with(column + "=" + shown())
                        .advise("give it as int64");
            }
        }
        long value = longValue();
        if (value == HistorySlice.NONE) {
            throw BadRowException.of("number is reserved")
                    .with(column + "=" + value)
                    .advise("it means a missing value");
        }
        return value;
    }

    /** Returns whether {@link #integer} would return a number. */
    public boolean isIntegerWhereNeeded() {
        return isInteger() || kind == Kind.STRING && isPlainInteger();
    }

    /** Returns the bytes of {@link #text}: without a copy for text. */
    public byte[] bytes() {
        if (!isText()) {
            byte[] shown = text().getBytes(StandardCharsets.UTF_8);
            bytes = shown;
            from = 0;
            length = shown.length;
        }
        return bytes;
    }

    /** Returns the begin of the text in {@link #bytes}, which must be called before. */
    public int from() {
        return from;
    }

    /** Returns the length of the text in {@link #bytes}, which must be called before. */
    public int length() {
        return length;
    }

    /** Returns the value as text, a whole number without a decimal point; empty for null. */
    public String text() {
        return switch (kind) {
            case NULL -> "";
            case LONG -> Long.toString(number);
            case DOUBLE -> isWhole(floating) ? Long.toString((long) floating) : Double.toString(floating);
            case STRING, PLAIN -> new String(bytes, from, length, StandardCharsets.UTF_8);
        };
    }

    /** Returns the text that messages show. */
    public String shown() {
        if (kind == Kind.NULL) {
            return "null";
        }
        String text = text();
        return text.length() > 40 ? text.substring(0, 40) + "…" : text;
    }
}
