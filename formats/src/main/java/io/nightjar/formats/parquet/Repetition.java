package io.nightjar.formats.parquet;

import org.jspecify.annotations.Nullable;

/** How often a field occurs in its parent; the ordinal is Parquet's code. */
enum Repetition {
    REQUIRED,
    OPTIONAL,
    REPEATED;

    private static final Repetition[] VALUES = values();

    /** Null if there is no such code. */
    static @Nullable Repetition of(int code) {
        return code >= 0 && code < VALUES.length ? VALUES[code] : null;
    }
}
