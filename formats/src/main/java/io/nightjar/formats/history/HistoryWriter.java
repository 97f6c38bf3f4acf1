package io.nightjar.formats.history;

import java.io.IOException;

/**
 * Writes a history in one format.
 *
 * <p>The file appears under its name only when {@link #finish} returns; a writer that is closed before leaves no file.
 */
public interface HistoryWriter extends AutoCloseable {

    /** Writes a slice, which must have all columns; slices are in order. */
    void write(HistorySlice slice) throws IOException;

    /**
     * Records a reason why no level can hold for the written history that no row shows. Formats with metadata besides
     * rows store it and return it in {@link HistorySource#remarks}.
     *
     * @return whether the format stores it
     */
    default boolean doubt(String why) {
        return false;
    }

    /**
     * Returns whether slices may differ in the types of keys and values; otherwise all slices must share their types.
     */
    default boolean takesMixedTypes() {
        return false;
    }

    /** Completes the file after the last slice and makes it visible under its name. */
    void finish() throws IOException;

    /** Releases resources; without a previous {@link #finish}, also removes the written file. */
    @Override
    void close() throws IOException;
}
