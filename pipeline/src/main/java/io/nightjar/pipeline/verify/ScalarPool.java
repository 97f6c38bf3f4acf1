package io.nightjar.pipeline.verify;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.ValueType;
import org.jspecify.annotations.Nullable;

/** Keys or values of all slices as the same longs: the number itself, or an ordinal in one table of names. */
final class ScalarPool {

    /** A name that nothing was ever asked about. */
    static final long OTHER = -1;

    private ValueType type = ValueType.NONE;
    private final StringPool names = new StringPool();
    private final NameCache cache = new NameCache(); // ordinals here

    /** Learns the type; true the first time that it is known. */
    boolean learn(ValueType ofSlice) {
        boolean isNews = type == ValueType.NONE && ofSlice != ValueType.NONE;
        if (isNews) {
            type = ofSlice;
        }
        return isNews;
    }

    boolean isLearnt() {
        return type != ValueType.NONE;
    }

    /** Returns whether a text can be a value of this history at all. */
    boolean isPossible(@Nullable String text) {
        return text != null && (type == ValueType.STRING || type == ValueType.LONG && isNumber(text));
    }

    /** Returns whether a text is how a long is written. */
    static boolean isNumber(String text) {
        if (text.isEmpty() || text.charAt(0) != '-' && !Character.isDigit(text.charAt(0))) {
            return false;
        }
        try {
            return Long.toString(Long.parseLong(text)).equals(text);
        } catch (NumberFormatException notNumber) {
            return false;
        }
    }

    /** Returns a possible text as a long. */
    long intern(@Nullable String text) {
        String given = requireNonNull(text);
        return type == ValueType.STRING ? names.intern(given) : Long.parseLong(given);
    }

    String text(long scalar) {
        return type == ValueType.STRING ? names.get((int) scalar) : Long.toString(scalar);
    }

    /** Returns a slice's scalar, or {@link #OTHER} if it is a name that was never interned. */
    long find(StringPool ofSlice, long scalar) {
        if (type != ValueType.STRING) {
            return scalar;
        }
        int ordinal = (int) scalar;
        int[] cached = cache.of(ofSlice);
        if (cached[ordinal] == NameCache.NOT_LOOKED_UP) {
            cached[ordinal] = names.find(ofSlice.bytes(), ofSlice.firstByte(ordinal), ofSlice.length(ordinal));
        }
        return cached[ordinal];
    }

    long intern(StringPool ofSlice, long scalar) {
        if (type != ValueType.STRING) {
            return scalar;
        }
        int ordinal = (int) scalar;
        int[] cached = cache.of(ofSlice);
        if (cached[ordinal] < 0) {
            cached[ordinal] = names.internFrom(ofSlice, ordinal);
        }
        return cached[ordinal];
    }
}
