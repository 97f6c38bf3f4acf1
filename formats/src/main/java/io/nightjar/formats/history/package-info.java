/**
 * Columnar data model of histories, shared by readers and checks.
 *
 * <p>A history is processed as {@link io.nightjar.formats.history.HistorySlice}s: some thousands of transactions as
 * columns of primitives, self-contained, so that slices can be read in parallel, spilled, or sent between processes.
 * Readers fill them through {@link io.nightjar.formats.history.SliceBuilder}; stages 2 to 5 read only slices and data
 * derived from them. This package makes no verdicts and does not depend on file formats.
 *
 * <p>Read {@link io.nightjar.formats.history.HistorySlice} first, then {@link
 * io.nightjar.formats.history.HistorySource}.
 */
@NullMarked
package io.nightjar.formats.history;

import org.jspecify.annotations.NullMarked;
