package io.nightjar.formats.parquet;

/**
 * What the footer says of one column of one row group.
 *
 * @param start position of its first page
 * @param dictionarySize bytes of the dictionary page, 0 if there is none
 * @param compressedSize bytes of all pages with their headers
 * @param isPlainUsed whether any page goes without the dictionary
 * @param headersCrc checksum of all page headers
 * @param min valid if {@code hasMinMax}
 */
record WrittenChunk(
        SchemaNode leaf,
        long start,
        int dictionarySize,
        long compressedSize,
        long uncompressedSize,
        long entryCount,
        long nullCount,
        boolean isPlainUsed,
        int headersCrc,
        boolean hasMinMax,
        long min,
        long max) {}
