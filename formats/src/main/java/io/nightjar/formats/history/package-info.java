/**
 * The columnar history, between the files and the checks.
 *
 * <p>A history travels as {@link io.nightjar.formats.history.HistorySlice}s: some thousands of transactions as columns of
 * primitives, self-contained, so that slices can be read in parallel, spilled, or sent over a wire. Readers fill them
 * through {@link io.nightjar.formats.history.SliceBuilder}; stations 2 to 5 only ever see slices and what they derive
 * from them. Nothing here decides anything, and nothing here knows a file format.
 *
 * <p>Read {@link io.nightjar.formats.history.HistorySlice} first, then {@link io.nightjar.formats.history.HistorySource}.
 */
@NullMarked
package io.nightjar.formats.history;

import org.jspecify.annotations.NullMarked;
