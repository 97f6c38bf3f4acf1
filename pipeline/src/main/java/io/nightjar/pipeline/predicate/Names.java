package io.nightjar.pipeline.predicate;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.ValueType;
import io.nightjar.pipeline.primitive.LongOrdinals;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Dictionary of keys, values or texts of any type; the names of a slice are resolved once. */
final class Names {

    private final StringPool strings = new StringPool();
    private final LongOrdinals numbers = new LongOrdinals();
    private boolean areNumbers;
    private @Nullable StringPool ofSlice;
    private int[] ordinalOf = new int[0]; // by ordinal in the slice: ordinal here plus one; 0 if not resolved

    /** Turns to a slice. */
    void begin(ValueType type, @Nullable StringPool names) {
        areNumbers |= type == ValueType.LONG;
        if (names != ofSlice) {
            ofSlice = names;
            ordinalOf = new int[names == null ? 0 : names.size()];
        }
    }

    /** Returns the ordinal of a slice's entry, given as a number or as an ordinal of the slice. */
    int ordinal(long inSlice) {
        if (areNumbers) {
            return numbers.ordinal(inSlice);
        }
        int name = (int) inSlice;
        StringPool names = requireNonNull(ofSlice);
        if (name >= ordinalOf.length) {
            ordinalOf = Arrays.copyOf(ordinalOf, Math.max(names.size(), name + 1)); // the table has grown since
        }
        if (ordinalOf[name] == 0) {
            ordinalOf[name] = strings.internFrom(names, name) + 1;
        }
        return ordinalOf[name] - 1;
    }

    int size() {
        return areNumbers ? numbers.size() : strings.size();
    }

    String get(int ordinal) {
        return areNumbers ? Long.toString(numbers.name(ordinal)) : strings.get(ordinal);
    }

    long byteSize() {
        return strings.byteSize() + numbers.byteSize();
    }
}
