package io.nightjar.formats.parquet;

import org.jspecify.annotations.Nullable;

/** How values are stored; the ordinal is Parquet's code. */
enum PhysicalType {
    BOOLEAN,
    INT32,
    INT64,
    INT96,
    FLOAT,
    DOUBLE,
    BYTE_ARRAY,
    FIXED_LEN_BYTE_ARRAY;

    private static final PhysicalType[] VALUES = values();

    /** Null if there is no such code. */
    static @Nullable PhysicalType of(int code) {
        return code >= 0 && code < VALUES.length ? VALUES[code] : null;
    }

    boolean isBinary() {
        return this == BYTE_ARRAY || this == FIXED_LEN_BYTE_ARRAY;
    }
}
