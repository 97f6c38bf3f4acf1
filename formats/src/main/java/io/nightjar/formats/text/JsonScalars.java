package io.nightjar.formats.text;

import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.StringPool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Spelling of keys and values of several types as JSON text in one canonical form: {@code 1}, {@code "1"}, {@code true}. */
public final class JsonScalars {

    private static final int UNKNOWN = -1;

    private final Utf8 text = new Utf8();
    private final JsonCursor cursor = new JsonCursor();

    /** Returns the ordinal of a number. */
    int ofNumber(long number, StringPool into) {
        text.clear();
        JsonText.putLong(number, text);
        return into.intern(text.bytes, 0, text.length);
    }

    /** Returns the ordinal of a string. */
    int ofString(byte[] utf8, int offset, int length, StringPool into) {
        text.clear();
        JsonText.putString(utf8, offset, length, text);
        return into.intern(text.bytes, 0, text.length);
    }

    /** Names the keys of a slice by JSON text. */
    void convertKeys(SliceBuilder slice, @Nullable StringPool names) {
        StringPool json = StringPool.ofJson();
        slice.nameKeys(json, ordinals(names, json));
    }

    /** Names the values of a slice by JSON text. */
    void convertValues(SliceBuilder slice, @Nullable StringPool names) {
        StringPool json = StringPool.ofJson();
        slice.nameValues(json, ordinals(names, json));
    }

    /** @param names the strings; null for numbers */
    private LongUnaryOperator ordinals(@Nullable StringPool names, StringPool json) {
        if (names == null) {
            return number -> ofNumber(number, json);
        }
        int[] ordinalOf = new int[names.size()];
        Arrays.fill(ordinalOf, UNKNOWN);
        return name -> {
            int i = (int) name;
            if (ordinalOf[i] == UNKNOWN) {
                ordinalOf[i] = ofString(names.bytes(), names.firstByte(i), names.length(i), json);
            }
            return ordinalOf[i];
        };
    }

    /** Returns the canonical text of a JSON number, string or boolean; null if the text is none of these. */
    public byte @Nullable [] canonical(byte[] utf8, int offset, int length) {
        cursor.overLine(Arrays.copyOfRange(utf8, offset, offset + length + 1), 0, length);
        text.clear();
        try {
            int next = cursor.peek();
            if (next == '"') {
                cursor.readString();
                JsonText.putString(cursor.text(), cursor.textFrom(), cursor.textLength(), text);
            } else if (next == 't' || next == 'f' || cursor.isNumberNext()) {
                long start = cursor.offset();
                cursor.skipValue();
                cursor.copyCompact(start, text);
            } else {
                return null;
            }
            return cursor.isAtEnd() ? Arrays.copyOf(text.bytes, text.length) : null;
        } catch (BadRowException | IOException notJson) {
            return null;
        }
    }

    /**
     * Returns a value typed by the user as JSON text: the text if it is a JSON scalar, otherwise the text as a JSON
     * string.
     */
    public static String ofTyped(String typed) {
        byte[] utf8 = typed.getBytes(StandardCharsets.UTF_8);
        byte[] canonical = utf8.length == 0 ? null : new JsonScalars().canonical(utf8, 0, utf8.length);
        return canonical == null ? JsonText.quoted(typed) : new String(canonical, StandardCharsets.UTF_8);
    }
}
