package io.nightjar.jobs.mock.sql;

/** Type of a column or parameter, with the Java class of its values. */
public enum SqlType {
    /** {@link Boolean}. */
    BOOLEAN,
    /** {@link Long}. */
    SMALLINT,
    /** {@link Long}. */
    INTEGER,
    /** {@link Long}. */
    BIGINT,
    /** {@link java.math.BigDecimal}. */
    NUMERIC,
    /** {@link Double}. */
    REAL,
    /** {@link Double}. */
    DOUBLE,
    /** {@link String}. */
    TEXT,
    /** {@link String}, of a column with a length. */
    VARCHAR,
    /** {@link String}, padded. */
    CHAR,
    /** An array of bytes. */
    BYTES,
    /** {@link java.time.LocalDate}. */
    DATE,
    /** {@link java.time.LocalTime}. */
    TIME,
    /** {@link java.time.OffsetTime}. */
    TIME_TZ,
    /** {@link java.time.LocalDateTime}. */
    TIMESTAMP,
    /** {@link java.time.OffsetDateTime}. */
    TIMESTAMP_TZ,
    /** {@link java.util.UUID}. */
    UUID,
    /** {@link String}. */
    JSON,
    /** {@link String}, as a literal of PostgreSQL. */
    ARRAY,
    /** {@link String}. */
    INTERVAL,
    /** A type that is unknown until a value is bound. */
    UNKNOWN
}
