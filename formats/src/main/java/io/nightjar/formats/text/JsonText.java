package io.nightjar.formats.text;

import io.nightjar.formats.history.StringPool;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Spelling of strings and numbers in JSON. */
public final class JsonText {

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private JsonText() {}

    /** Returns the string in quotes. */
    public static String quoted(String string) {
        Utf8 json = new Utf8();
        putString(string, json);
        return new String(json.bytes, 0, json.length, StandardCharsets.UTF_8);
    }

    public static void putString(String string, Utf8 into) {
        byte[] utf8 = string.getBytes(StandardCharsets.UTF_8);
        putString(utf8, 0, utf8.length, into);
    }

    public static void putString(byte[] utf8, int offset, int length, Utf8 into) {
        into.put('"');
        int plainFrom = offset;
        int end = offset + length;
        for (int i = offset; i < end; i++) {
            byte b = utf8[i];
            if (b == '"' || b == '\\' || (b >= 0 && b < ' ')) {
                into.put(utf8, plainFrom, i - plainFrom);
                putEscape(b, into);
                plainFrom = i + 1;
            }
        }
        into.put(utf8, plainFrom, end - plainFrom);
        into.put('"');
    }

    /**
     * Appends a key or value.
     *
     * @param names the table of ordinals; null for a number
     */
    public static void putScalar(@Nullable StringPool names, long scalar, Utf8 into) {
        if (names == null) {
            putLong(scalar, into);
            return;
        }
        int name = (int) scalar;
        if (names.isJson()) {
            into.put(names.bytes(), names.firstByte(name), names.length(name));
        } else {
            putString(names.bytes(), names.firstByte(name), names.length(name), into);
        }
    }

    private static void putEscape(byte b, Utf8 into) {
        into.put('\\');
        switch (b) {
            case '"', '\\' -> into.put(b);
            case '\n' -> into.put('n');
            case '\t' -> into.put('t');
            case '\r' -> into.put('r');
            default -> {
                into.put('u');
                into.put('0');
                into.put('0');
                into.put(HEX[b >> 4]);
                into.put(HEX[b & 15]);
            }
        }
    }

    public static void putLong(long number, Utf8 into) {
        if (number == Long.MIN_VALUE) {
            putAscii("-9223372036854775808", into);
            return;
        }
        long rest = number;
        if (rest < 0) {
            into.put('-');
            rest = -rest;
        }
        int first = into.length;
        do {
            into.put((int) ('0' + rest % 10));
            rest /= 10;
        } while (rest > 0);
        byte[] digits = into.bytes;
        for (int left = first, right = into.length - 1; left < right; left++, right--) {
            byte digit = digits[left];
            digits[left] = digits[right];
            digits[right] = digit;
        }
    }

    public static void putAscii(String ascii, Utf8 into) {
        for (int i = 0; i < ascii.length(); i++) {
            into.put(ascii.charAt(i));
        }
    }

    /** Returns whether bytes are one JSON number. The byte at {@code end} must exist. */
    public static boolean isNumber(byte[] bytes, int from, int end) {
        int at = from + (bytes[from] == '-' ? 1 : 0);
        int digits = skipDigits(bytes, at);
        boolean isWell = digits > at && (bytes[at] != '0' || digits == at + 1);
        at = digits;
        if (isWell && bytes[at] == '.') {
            digits = skipDigits(bytes, at + 1);
            isWell = digits > at + 1;
            at = digits;
        }
        if (isWell && (bytes[at] == 'e' || bytes[at] == 'E')) {
            at += bytes[at + 1] == '-' || bytes[at + 1] == '+' ? 2 : 1;
            digits = skipDigits(bytes, at);
            isWell = digits > at;
            at = digits;
        }
        return isWell && at == end;
    }

    private static int skipDigits(byte[] bytes, int from) {
        int at = from;
        while (bytes[at] >= '0' && bytes[at] <= '9') {
            at++;
        }
        return at;
    }
}
