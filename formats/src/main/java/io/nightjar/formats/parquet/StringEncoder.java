package io.nightjar.formats.parquet;

/** Turns the strings of a column into small numbers. */
@FunctionalInterface
interface StringEncoder {

    /** Code of a string that is not acceptable, as are all other negative numbers. */
    int UNACCEPTABLE = -1;

    int map(byte[] bytes, int offset, int length);
}
