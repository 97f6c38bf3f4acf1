package io.nightjar.formats.peer;

import io.nightjar.formats.text.RowSink;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/** The transactions of one file in one foreign format, on their way into a {@link RowSink}. */
interface PeerRows extends Closeable {

    /**
     * Reads on, for one transaction at most; false at the end of the file.
     *
     * @throws io.nightjar.formats.text.BadRowException if no more of the file can be understood
     */
    boolean advance() throws IOException;

    @Override
    void close() throws IOException;

    /** Opens files of one format. */
    @FunctionalInterface
    interface Opener {
        PeerRows open(Path file, RowSink sink) throws IOException;
    }
}
