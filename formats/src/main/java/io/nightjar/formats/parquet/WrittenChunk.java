package io.nightjar.formats.parquet;

import org.jspecify.annotations.Nullable;

/**
 * What the footer says of one column of one row group.
 *
 * @param start position of its first page
 * @param isPlainUsed whether any page goes without the dictionary
 * @param headersCrc checksum of all page headers
 * @param range null if there are no values, or they have no order
 */
record WrittenChunk(
        SchemaNode leaf,
        long start,
        Sizes sizes,
        long entryCount,
        long nullCount,
        boolean isPlainUsed,
        int headersCrc,
        @Nullable Range range) {

    /**
     * How large the pages are, in bytes.
     *
     * @param dictionary of the dictionary page, 0 if there is none
     * @param compressed of all pages with their headers
     */
    record Sizes(int dictionary, long compressed, long uncompressed) {}

    /** The smallest value and the largest. */
    record Range(long min, long max) {}
}
