package io.nightjar.pipeline.verify;

import org.jspecify.annotations.Nullable;

/** Values of counters as numbers. */
final class CounterValues {

    private CounterValues() {}

    /** Returns the number that a value spells; null if it spells none. */
    static @Nullable Long number(@Nullable String value) {
        try {
            return value == null ? null : Long.valueOf(value);
        } catch (NumberFormatException notANumber) {
            return null;
        }
    }

    /**
     * Returns by how much increments had changed a counter when it was read; null if the value is no number.
     *
     * @param read null for the initial state
     * @param initial the text of the value that means the initial state as null does, or null
     */
    static @Nullable Long changeSeen(@Nullable String read, @Nullable String initial) {
        Long first = number(initial);
        Long seen = number(read);
        boolean isInitial = read == null || read.equals(initial);
        return isInitial ? Long.valueOf(0) : seen == null || first == null ? seen : Long.valueOf(seen - first);
    }
}
