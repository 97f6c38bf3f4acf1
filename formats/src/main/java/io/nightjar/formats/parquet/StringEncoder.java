package io.nightjar.formats.parquet;

/** Encodes the strings of a column as small numbers. */
@FunctionalInterface
interface StringEncoder {

    /** Code of a string that is not acceptable, as are all other negative numbers. */
    int UNACCEPTABLE = -1;

    int map(byte[] bytes, int offset, int length);
}
