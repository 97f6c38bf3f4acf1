/**
 * Stage 1 for Parquet files, and writers for stage 7: reads and writes history files, writes anomaly tables.
 *
 * <p>Converts files of any writer to {@link io.nightjar.formats.history.HistorySlice}s and back. The package implements
 * the file format, from Thrift footers to bit-packed levels: columns are copied between pages and arrays of primitives
 * without intermediate records, unused columns are not loaded, and corrupt bytes are reported with their location. It
 * must not depend on checkers or on the tables of the lake.
 *
 * <p>Read {@link io.nightjar.formats.parquet.ParquetHistorySource} first, then {@link
 * io.nightjar.formats.parquet.ParquetHistoryWriter}.
 */
@NullMarked
package io.nightjar.formats.parquet;

import org.jspecify.annotations.NullMarked;
