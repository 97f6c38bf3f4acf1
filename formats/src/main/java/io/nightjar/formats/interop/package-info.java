/**
 * Station 1 for the formats of other checkers: dbcop's three, Plume's and PolySI's text, AWDIT's text, Cobra's logs.
 *
 * <p>Files come in, {@link io.nightjar.formats.history.HistorySlice}s go out, and the other way round. A reader holds one
 * slice and one transaction, whatever the size of the file, and makes up what its format does not say: ids by position,
 * sessions by their order. Nothing here judges a history, and nothing here chooses a format.
 *
 * <p>Read {@link io.nightjar.formats.interop.InteropSource} first, then {@code InteropRowReader}, which there is one of for each format;
 * docs/history-format.md says what each of them takes things to mean.
 */
@NullMarked
package io.nightjar.formats.interop;

import org.jspecify.annotations.NullMarked;
