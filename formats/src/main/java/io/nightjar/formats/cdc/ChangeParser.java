package io.nightjar.formats.cdc;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The events of one file in one format. */
interface ChangeParser extends AutoCloseable {

    /**
     * Advances to the next event; returns false at the end.
     *
     * @throws io.nightjar.formats.text.BadRowException if the event is malformed; later events may still be read
     */
    boolean advance(ChangeEvent event) throws IOException;

    /** Returns the line or the array element of the event, counted from 1. */
    long row();

    /** Returns the text of the event, or a helpful part of it; may be null. */
    @Nullable
    String raw();

    /** Returns whether nothing after a malformed event can be read. */
    default boolean isLost() {
        return false;
    }

    @Override
    void close() throws IOException;

    /** Opens files of one format. */
    @FunctionalInterface
    interface Opener {
        ChangeParser open(Path file) throws IOException;
    }
}
