package io.nightjar.formats.history;

import java.io.IOException;

/**
 * Writes a history in one format.
 *
 * <p>The file appears under its name only when {@link #finish} returns; a writer that is closed without it leaves nothing
 * behind.
 */
public interface HistoryWriter extends AutoCloseable {

    /** Slices arrive in order and have all columns. */
    void write(HistorySlice slice) throws IOException;

    /**
     * Says why no level can be said to hold for what is written, though no row shows it. Formats keep it that have room beside
     * rows, for {@link HistorySource#remarks}.
     *
     * @return whether the format keeps it
     */
    default boolean doubt(String why) {
        return false;
    }

    /** Whether slices may have types of keys and values of their own; else all must have the same. */
    default boolean takesMixedTypes() {
        return false;
    }

    /** Everything was written: makes the file visible under its name. */
    void finish() throws IOException;

    /** Gives back what is held; without a {@link #finish} before, also removes what was written. */
    @Override
    void close() throws IOException;
}
