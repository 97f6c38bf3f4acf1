package io.nightjar.pipeline.validate;

import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.ValueType;
import io.nightjar.pipeline.primitive.Mix;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Numbers with the same meaning in every slice: an int64 represents itself, a string has a 64-bit hash. Two strings
 * with one hash would be treated as one, which is acceptable for lint.
 */
final class NameHashes {

    private @Nullable StringPool names;
    private long[] hashOfName = new long[0];
    private int hashed;

    /** Turns to the names of another slice; slices may share them. */
    void use(@Nullable StringPool next) {
        if (next == null) {
            return;
        }
        if (next != names) {
            names = next;
            hashed = 0;
        }
        int count = next.size();
        if (hashOfName.length < count) {
            hashOfName = Arrays.copyOf(hashOfName, Math.max(count, 2 * hashOfName.length));
        }
        byte[] bytes = next.bytes();
        for (; hashed < count; hashed++) {
            hashOfName[hashed] = Mix.hash(bytes, next.firstByte(hashed), next.length(hashed));
        }
    }

    /** Returns the number that represents a key or scalar value of the current slice. */
    long idOf(ValueType type, long keyOrValue) {
        return type == ValueType.STRING ? hashOfName[(int) keyOrValue] : keyOrValue;
    }

    static boolean canBe(ValueType type, String text) {
        if (type != ValueType.LONG) {
            return true;
        }
        try {
            Long.parseLong(text);
            return true;
        } catch (NumberFormatException notANumber) {
            return false;
        }
    }

    /** Returns the number that represents a value given as text, which {@link #canBe} of that type. */
    static long idOf(ValueType type, String text) {
        if (type == ValueType.LONG) {
            return Long.parseLong(text);
        }
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return Mix.hash(utf8, 0, utf8.length);
    }
}
