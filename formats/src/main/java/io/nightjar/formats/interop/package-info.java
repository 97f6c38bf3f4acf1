/**
 * Stage 1 for the formats of other checkers: dbcop's three, Plume's and PolySI's text, AWDIT's text, Cobra's logs.
 *
 * <p>Converts files to {@link io.nightjar.formats.history.HistorySlice}s and back. A reader buffers one slice and one
 * transaction, independent of the size of the file, and derives data that the format lacks: ids from positions,
 * sessions from their order. This package neither checks histories nor detects formats.
 *
 * <p>Read {@link io.nightjar.formats.interop.InteropSource} first, then {@code InteropRowReader}, which has one
 * implementation per format; docs/history-format.md defines the interpretation of each.
 */
@NullMarked
package io.nightjar.formats.interop;

import org.jspecify.annotations.NullMarked;
