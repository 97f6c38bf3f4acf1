package io.nightjar.formats.parquet;

/** Parquet's codes for kinds of pages. */
final class PageType {

    static final int DATA = 0;
    static final int INDEX = 1;
    static final int DICTIONARY = 2;
    static final int DATA_V2 = 3;

    private PageType() {}
}
