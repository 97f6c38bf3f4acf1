package io.nightjar.formats.text;

import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.SetsFields;

/** Decodes the content of a quoted JSON string with escapes or non-ASCII characters. */
public final class JsonEscapes {

    private static final int WELL = -1;
    private static final int REPLACEMENT = 0xfffd;
    private static final int UNIT_LENGTH = 6; // of an escape such as backslash u0041

    private final boolean allowsControls;
    private final Utf8 text = new Utf8();
    private byte[] bytes;
    private int end;
    private InputError fault;

    /** @param allowsControls whether control characters may occur without an escape, as in EDN */
    public JsonEscapes(boolean allowsControls) {
        this.allowsControls = allowsControls;
    }

    /** Returns the text that was read. */
    public Utf8 text() {
        return text;
    }

    /** Returns the error at the position that {@link #read} returned. */
    public InputError fault() {
        return fault;
    }

    /**
     * Reads a string.
     *
     * @param allowsHalfPairs whether half a surrogate pair, which is valid JSON but not text, may be replaced
     * @return position of the error, or -1
     */
    @SetsFields
    public int read(byte[] from, int first, int limit, boolean allowsHalfPairs) {
        bytes = from;
        end = limit;
        text.clear();
        int at = first;
        while (at < end) {
            int b = bytes[at];
            int length;
            if (b == '\\') {
                length = readEscape(at, allowsHalfPairs);
            } else if (b >= ' ' || b >= 0 && allowsControls) {
                text.put(b);
                length = 1;
            } else {
                length = b >= 0 ? refuse("control character in a string", byteText(b)) : readSequence(at);
            }
            if (length == 0) {
                return at;
            }
            at += length;
        }
        return WELL;
    }

    @SetsFields
    private int refuse(String kind, String details) {
        fault = InputError.of(kind).with(details);
        return 0;
    }

    private static String byteText(int b) {
        return "value=0x%02x".formatted(b & 0xff);
    }

    private int readSequence(int at) {
        int length = Utf8.sequenceLength(bytes, at, end);
        if (length == 0) {
            return refuse("not UTF-8", byteText(bytes[at]));
        }
        text.put(bytes, at, length);
        return length;
    }

    /** Reads an escape; returns its length, or 0 if it is invalid. */
    private int readEscape(int at, boolean allowsHalfPairs) {
        int escape = at + 1 < end ? bytes[at + 1] : 0;
        int plain = plain(escape);
        if (plain > 0) {
            text.put(plain);
            return 2;
        }
        if (escape != 'u') {
            return refuse("unknown escape in a string", "expected=\\n or \\u0041 or the like");
        }
        int unit = unit(at);
        if (unit < 0) {
            return refuse("unknown escape in a string", "expected=four hexadecimal digits after \\u");
        }
        if (!Character.isSurrogate((char) unit)) {
            text.putCodePoint(unit);
            return UNIT_LENGTH;
        }
        boolean isFollowed =
                at + UNIT_LENGTH + 1 < end && bytes[at + UNIT_LENGTH] == '\\' && bytes[at + UNIT_LENGTH + 1] == 'u';
        int low = isFollowed ? unit(at + UNIT_LENGTH) : 0;
        if (low > 0 && Character.isSurrogatePair((char) unit, (char) low)) {
            text.putCodePoint(Character.toCodePoint((char) unit, (char) low));
            return 2 * UNIT_LENGTH;
        }
        if (!allowsHalfPairs) {
            return refuse("half a surrogate pair in a string", "");
        }
        text.putCodePoint(REPLACEMENT);
        return UNIT_LENGTH;
    }

    private static int plain(int escape) {
        return switch (escape) {
            case '"', '\\', '/' -> escape;
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            default -> 0;
        };
    }

    /** Returns the value of the four hexadecimal digits of an escape, or -1. */
    private int unit(int at) {
        int unit = 0;
        for (int i = at + 2; i < at + UNIT_LENGTH; i++) {
            int digit = i < end ? Character.digit(bytes[i], 16) : -1;
            if (digit < 0) {
                return -1;
            }
            unit = unit << 4 | digit;
        }
        return unit;
    }
}
