package io.nightjar.formats.text;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Growable UTF-8 text, and validation of UTF-8. */
public final class Utf8 {

    public byte[] bytes = new byte[256];
    public int length;

    public Utf8() {}

    public void clear() {
        length = 0;
    }

    public void put(int b) {
        if (length == bytes.length) {
            grow(1);
        }
        bytes[length++] = (byte) b;
    }

    public void put(byte[] from, int offset, int count) {
        if (count > bytes.length - length) {
            grow(count);
        }
        System.arraycopy(from, offset, bytes, length, count);
        length += count;
    }

    /** Appends a code point that is not a surrogate. */
    public void putCodePoint(int codePoint) {
        if (codePoint < 0x80) {
            put(codePoint);
        } else if (codePoint < 0x800) {
            put(0xc0 | codePoint >> 6);
            put(0x80 | codePoint & 0x3f);
        } else if (codePoint < 0x10000) {
            put(0xe0 | codePoint >> 12);
            put(0x80 | codePoint >> 6 & 0x3f);
            put(0x80 | codePoint & 0x3f);
        } else {
            put(0xf0 | codePoint >> 18);
            put(0x80 | codePoint >> 12 & 0x3f);
            put(0x80 | codePoint >> 6 & 0x3f);
            put(0x80 | codePoint & 0x3f);
        }
    }

    /** Returns whether all bytes are valid UTF-8. */
    public static boolean isWellFormed(byte[] bytes, int offset, int count) {
        int end = offset + count;
        int at = offset;
        while (at < end) {
            if (bytes[at] >= 0) {
                at++;
                continue;
            }
            int sequence = sequenceLength(bytes, at, end);
            if (sequence == 0) {
                return false;
            }
            at += sequence;
        }
        return true;
    }

    /**
     * Returns the length of the well-formed sequence that begins at {@code at}, or 0 if none ends before {@code end}.
     * Overlong forms, surrogates and code points above U+10FFFF are not well-formed.
     */
    public static int sequenceLength(byte[] bytes, int at, int end) {
        int lead = bytes[at] & 0xff;
        if (lead < 0x80) {
            return 1;
        }
        int length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
        if (lead < 0xc2 || lead > 0xf4 || at + length > end) {
            return 0;
        }
        int second = bytes[at + 1] & 0xff;
        int lowest = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
        int highest = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
        if (second < lowest || second > highest) {
            return 0;
        }
        for (int i = 2; i < length; i++) {
            if ((bytes[at + i] & 0xc0) != 0x80) {
                return 0;
            }
        }
        return length;
    }

    /** Returns the character at a position for messages: in quotes, or its first byte in hexadecimal. */
    public static String shown(byte[] bytes, int at, int end) {
        int length = Math.max(1, sequenceLength(bytes, at, end));
        return bytes[at] >= ' ' || length > 1
                ? "'" + new String(bytes, at, length, StandardCharsets.UTF_8) + "'"
                : "0x%02x".formatted(bytes[at] & 0xff);
    }

    private void grow(int more) {
        int needed = Math.addExact(length, more);
        long grown = Math.min(Integer.MAX_VALUE - 8, 2L * bytes.length);
        bytes = Arrays.copyOf(bytes, (int) Math.max(grown, needed));
    }
}
