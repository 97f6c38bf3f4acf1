package io.nightjar.formats.cdc;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The events of one file in one format. */
interface ChangeParser extends AutoCloseable {

    /**
     * Steps to the next event; false at the end.
     *
     * @throws io.nightjar.formats.text.BadRowException if it cannot be understood; those behind it may be
     */
    boolean advance(ChangeEvent event) throws IOException;

    /** The line, or the element, that the event stands in, counted from 1. */
    long row();

    /** The text of the event, or as much of it as helps; may be null. */
    @Nullable
    String raw();

    /** Whether nothing behind the event that could not be understood can be read. */
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
