package io.nightjar.formats.parquet;

/** What a column's values mean beyond how they are stored: Parquet's logical and converted types in one. */
enum Annotation {
    NONE,
    STRING,
    ENUM,
    JSON,
    BSON,
    UUID,
    SIGNED,
    UNSIGNED,
    DECIMAL,
    DATE,
    TIME,
    TIMESTAMP,
    /** Microseconds since 1970, UTC; the only timestamp that is written. */
    TIMESTAMP_MICROS_UTC,
    /** A column of nothing but nulls, whatever it is stored as. */
    ALL_NULL,
    LIST,
    MAP,
    UNKNOWN
}
