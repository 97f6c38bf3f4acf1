/**
 * Stage 1 for text: JSON Lines, the notation of documents and tests, and TimeKiller's JSON.
 *
 * <p>Converts bytes of files to {@link io.nightjar.formats.history.HistorySlice}s and back; memory contains only one
 * transaction and the slice that it is added to. Malformed rows are passed to {@link
 * io.nightjar.formats.history.BadRowHandler}. This package neither checks histories nor detects formats.
 *
 * <p>Read {@link io.nightjar.formats.text.LineSource} first, then {@link io.nightjar.formats.text.JsonCursor} and
 * {@link io.nightjar.formats.text.RowSliceBuilder}, which all readers share, including the readers of other packages.
 */
@NullMarked
package io.nightjar.formats.text;

import org.jspecify.annotations.NullMarked;
