package io.nightjar.formats.parquet;

import org.jspecify.annotations.Nullable;

/**
 * Footer entry of one column of one row group.
 *
 * @param start position of its first page
 * @param isPlainUsed whether any page does not use the dictionary
 * @param headersCrc checksum of all page headers
 * @param range null if the column has no values, or they have no order
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
     * Sizes of the pages, in bytes.
     *
     * @param dictionary of the dictionary page, 0 without dictionary
     * @param compressed of all pages with their headers
     */
    record Sizes(int dictionary, long compressed, long uncompressed) {}

    /** The smallest value and the largest. */
    record Range(long min, long max) {}
}
