/**
 * Stage 1 for Arrow IPC files and streams: the columns of a history in Arrow's layout.
 *
 * <p>Converts bytes of files to {@link io.nightjar.formats.history.HistorySlice}s and back. Columns are read in place,
 * a window of rows at a time, so that a record batch may exceed memory. Only the metadata is decoded by a library; no
 * native memory is used. This package does not check histories.
 *
 * <p>Read {@link io.nightjar.formats.arrow.ArrowHistorySource} first, then {@code ArrowIndex} and {@code ArrowColumn}.
 */
@NullMarked
package io.nightjar.formats.arrow;

import org.jspecify.annotations.NullMarked;
