package io.nightjar.pipeline.partition;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.ValueType;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Finder of the value that represents the initial state among the values of a slice, chunk or lane. */
public final class InitialValue {

    private InitialValue() {}

    /** Returns whether the value given as text can occur among these values at all. */
    public static boolean isKnown(ValueType type, @Nullable StringPool names, @Nullable String text) {
        if (text == null) {
            return false;
        }
        return switch (type) {
            case NONE -> false;
            case LONG -> isLong(text);
            case STRING -> find(requireNonNull(names), text) >= 0;
        };
    }

    /** Returns the number or ordinal that it is stored as; valid if {@link #isKnown}. */
    public static long asLong(ValueType type, @Nullable StringPool names, String text) {
        return type == ValueType.LONG ? Long.parseLong(text) : find(requireNonNull(names), text);
    }

    private static int find(StringPool names, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return names.find(utf8, 0, utf8.length);
    }

    private static boolean isLong(String text) {
        try {
            Long.parseLong(text);
            return true;
        } catch (NumberFormatException notANumber) {
            return false;
        }
    }
}
