/**
 * Station 1 for Parquet files, and the pen of station 7: history files in and out, anomaly tables out.
 *
 * <p>In come files of any writer, out go {@link io.nightjar.formats.history.HistorySlice}s, and the other way round. The
 * package reads and writes the file format itself, from Thrift footers to bit-packed levels: columns go between pages and
 * arrays of primitives without a record in between, nothing is loaded that is not used, and bad bytes meet checks that
 * know the place. It must not know what a history proves or which tables the lake has.
 *
 * <p>Read {@link io.nightjar.formats.parquet.ParquetHistorySource} first, then
 * {@link io.nightjar.formats.parquet.ParquetHistoryWriter}.
 */
@NullMarked
package io.nightjar.formats.parquet;

import org.jspecify.annotations.NullMarked;
