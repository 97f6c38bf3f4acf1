package io.nightjar.formats.parquet;

import io.nightjar.formats.history.InputFault;

/** What stands before a page. One object for each column, filled again for each page. */
final class PageHeader {

    private static final int ABSENT = -1;

    int type;
    int uncompressedSize;
    int compressedSize;
    boolean hasCrc;
    int crc;
    int valueCount;
    int encoding;
    int defEncoding;
    int repEncoding;

    /** The length of the repetition levels of v2 pages, which are not compressed and carry no length in the page. */
    int repsLength;

    int defsLength;
    boolean isCompressed;

    /** Reads one header; returns the position behind it. */
    int read(byte[] bytes, int from, int to) {
        type = ABSENT;
        uncompressedSize = ABSENT;
        compressedSize = ABSENT;
        hasCrc = false;
        valueCount = ABSENT;
        encoding = ABSENT;
        defEncoding = Encoding.RLE;
        repEncoding = Encoding.RLE;
        repsLength = 0;
        defsLength = 0;
        isCompressed = true;
        ThriftReader in = new ThriftReader(bytes, from, to);
        in.beginStruct();
        for (int field = in.nextField(); field != ThriftReader.NO_FIELD; field = in.nextField()) {
            switch (field) {
                case 1 -> type = in.i32();
                case 2 -> uncompressedSize = in.i32();
                case 3 -> compressedSize = in.i32();
                case 4 -> {
                    hasCrc = true;
                    crc = in.i32();
                }
                case 5, 7 -> data(in);
                case 8 -> dataV2(in);
                default -> in.skip();
            }
        }
        if (type < 0 || uncompressedSize < 0 || compressedSize < 0) {
            throw new CorruptFileException(InputFault.of("page header is incomplete"));
        }
        return in.position();
    }

    /** Data pages v1 and dictionary pages begin alike. */
    private void data(ThriftReader in) {
        in.beginStructField();
        for (int field = in.nextField(); field != ThriftReader.NO_FIELD; field = in.nextField()) {
            switch (field) {
                case 1 -> valueCount = in.i32();
                case 2 -> encoding = in.i32();
                case 3, 4 -> levelEncoding(field, in);
                default -> in.skip();
            }
        }
    }

    /** In dictionary pages the field means something else. */
    private void levelEncoding(int field, ThriftReader in) {
        if (type != PageType.DATA) {
            in.skip();
        } else if (field == 3) {
            defEncoding = in.i32();
        } else {
            repEncoding = in.i32();
        }
    }

    private void dataV2(ThriftReader in) {
        in.beginStructField();
        for (int field = in.nextField(); field != ThriftReader.NO_FIELD; field = in.nextField()) {
            switch (field) {
                case 1 -> valueCount = in.i32();
                case 4 -> encoding = in.i32();
                case 5 -> defsLength = in.i32();
                case 6 -> repsLength = in.i32();
                case 7 -> isCompressed = in.bool();
                default -> in.skip();
            }
        }
    }
}
