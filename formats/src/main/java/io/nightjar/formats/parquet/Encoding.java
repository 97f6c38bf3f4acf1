package io.nightjar.formats.parquet;

/** Parquet's codes for how a page is laid out. */
final class Encoding {

    static final int PLAIN = 0;
    static final int PLAIN_DICTIONARY = 2;
    static final int RLE = 3;
    static final int BIT_PACKED = 4;
    static final int DELTA_BINARY_PACKED = 5;
    static final int DELTA_LENGTH_BYTE_ARRAY = 6;
    static final int DELTA_BYTE_ARRAY = 7;
    static final int RLE_DICTIONARY = 8;
    static final int BYTE_STREAM_SPLIT = 9;

    private Encoding() {}
}
