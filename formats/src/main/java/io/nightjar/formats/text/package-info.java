/**
 * Station 1 for text: JSON Lines, the notation of documents and tests, and TimeKiller's JSON.
 *
 * <p>Bytes of files come in, {@link io.nightjar.formats.history.HistorySlice}s go out, and the other way round; nothing is
 * ever held as a whole but one transaction and the slice it goes into. Rows that cannot be understood are handed to
 * {@link io.nightjar.formats.history.BadRowHandler}. Nothing here judges a history, and nothing here chooses a format.
 *
 * <p>Read {@link io.nightjar.formats.text.LineSource} first, then {@link io.nightjar.formats.text.JsonCursor} and
 * {@link io.nightjar.formats.text.RowSliceBuilder}, which all readers share, those of other packages too.
 */
@NullMarked
package io.nightjar.formats.text;

import org.jspecify.annotations.NullMarked;
