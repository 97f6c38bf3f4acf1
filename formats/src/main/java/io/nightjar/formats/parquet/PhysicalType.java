package io.nightjar.formats.parquet;

import org.apache.parquet.format.Type;

/** Storage type of values; the ordinal is Parquet's code. */
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

    static PhysicalType of(Type type) {
        return VALUES[type.getValue()];
    }

    boolean isBinary() {
        return this == BYTE_ARRAY || this == FIXED_LEN_BYTE_ARRAY;
    }
}
