/**
 * Station 1 for Arrow IPC, files and streams: the columns of a history as Arrow lays them out.
 *
 * <p>Bytes of files come in, {@link io.nightjar.formats.history.HistorySlice}s go out, and the other way round. Columns are
 * read where they stand, a window of rows at a time, so that a record batch may be larger than memory. Only the metadata
 * goes through a library; no native memory is used. Nothing here judges a history.
 *
 * <p>Read {@link io.nightjar.formats.arrow.ArrowHistorySource} first, then {@code ArrowIndex} and {@code ArrowColumn}.
 */
@NullMarked
package io.nightjar.formats.arrow;

import org.jspecify.annotations.NullMarked;
