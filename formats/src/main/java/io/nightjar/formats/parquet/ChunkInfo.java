package io.nightjar.formats.parquet;

import org.apache.parquet.format.CompressionCodec;
import org.jspecify.annotations.Nullable;

/**
 * Footer entry of one column of one row group.
 *
 * @param start position of the first page, either the dictionary or data
 * @param entryCount values, nulls and empty lists together
 * @param nullCount -1 if the writer recorded none
 * @param compressedSize of all pages together; some writers omit a header
 * @param uncompressedSize as {@code compressedSize}
 * @param headersCrc checksum of the page headers, as text; null if missing or not applicable
 */
record ChunkInfo(
        PhysicalType type,
        CompressionCodec codec,
        long start,
        long entryCount,
        long nullCount,
        long compressedSize,
        long uncompressedSize,
        @Nullable String headersCrc) {

    /** Returns a copy without the checksum of the page headers. */
    ChunkInfo withoutHeadersCrc() {
        return new ChunkInfo(type, codec, start, entryCount, nullCount, compressedSize, uncompressedSize, null);
    }
}
