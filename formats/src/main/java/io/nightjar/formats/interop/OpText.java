package io.nightjar.formats.interop;

import io.nightjar.formats.history.SetsFields;
import io.nightjar.formats.text.BadRowException;
import java.nio.charset.StandardCharsets;

/** A line of one of the plain text formats, read from left to right. */
final class OpText {

    private static final int MAX_SAFE_DIGITS = 18; // maximum number of digits that always fit a long
    private static final int MAX_SHOWN_LENGTH = 40;

    private byte[] bytes;
    private int start;
    private int position;
    private int end;

    /** Moves to the beginning of a line; trailing blanks, and the CR of a CR LF, are excluded. */
    @SetsFields
    void over(byte[] line, int from, int to) {
        bytes = line;
        start = from;
        position = from;
        end = to;
        while (end > from && isBlank(bytes[end - 1])) {
            end--;
        }
        skipBlanks();
    }

    boolean isAtEnd() {
        return position >= end;
    }

    /** Returns the next byte without consuming it; 0 at the end. */
    int peek() {
        return position < end ? bytes[position] : 0;
    }

    /** Returns the byte after the next one without consuming it; 0 at the end of the line. */
    int peekSecond() {
        return position + 1 < end ? bytes[position + 1] : 0;
    }

    void skip(int count) {
        position += count;
    }

    boolean skipBlanks() {
        int from = position;
        while (position < end && isBlank(bytes[position])) {
            position++;
        }
        return position > from;
    }

    /** Consumes the given byte and the blanks around it. */
    void expect(char wanted) {
        if (peek() != wanted) {
            skipBlanks();
            if (peek() != wanted) {
                throw unexpected("'" + wanted + "'");
            }
        }
        position++;
        if (position < end && isBlank(bytes[position])) {
            skipBlanks();
        }
    }

    /** Consumes the given byte if it is next. */
    boolean take(char wanted) {
        if (peek() != wanted) {
            return false;
        }
        position++;
        return true;
    }

    /** Reads an int64; these formats use unsigned numbers, which are rejected if they do not fit. */
    long readLong(String what) {
        int at = position;
        boolean isNegative = at < end && bytes[at] == '-';
        if (isNegative) {
            at++;
        }
        int firstDigit = at;
        long number = 0;
        while (at < end) {
            int digit = bytes[at] - '0';
            if (digit < 0 || digit > 9) {
                break;
            }
            number = number * 10 + digit;
            at++;
        }
        if (at == firstDigit) {
            throw unexpected("a number as " + what);
        }
        if (at - firstDigit > MAX_SAFE_DIGITS) {
            number = longNumber(what, at);
            position = at;
            return number;
        }
        position = at;
        return isNegative ? -number : number;
    }

    private long longNumber(String what, int numberEnd) {
        String digits = new String(bytes, position, numberEnd - position, StandardCharsets.US_ASCII);
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException tooLarge) {
            throw BadRowException.of("number does not fit int64")
                    .with(
                            "%s=%s %s",
                            what, digits.substring(0, Math.min(digits.length(), MAX_SHOWN_LENGTH)), location());
        }
    }

    /** Returns whether the rest of the line consists of the given byte only, and consumes it. */
    boolean takeRuler(char of) {
        for (int at = position; at < end; at++) {
            if (bytes[at] != of) {
                return false;
            }
        }
        position = end;
        return true;
    }

    byte[] bytes() {
        return bytes;
    }

    int position() {
        return position;
    }

    int end() {
        return end;
    }

    BadRowException unexpected(String expected) {
        String found = "end of line";
        if (position < end) {
            byte b = bytes[position];
            found = b > ' ' && b < 0x7f ? "'" + (char) b + "'" : "0x%02x".formatted(b & 0xff);
        }
        return BadRowException.of("unexpected text").with("expected=%s found=%s %s", expected, found, location());
    }

    String location() {
        return "column=" + (position - start + 1);
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t' || b == '\r';
    }
}
