package io.nightjar.formats.interop;

import io.nightjar.formats.text.RowSliceBuilder;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/** Reader of the transactions of one file in one foreign format, which adds them to a {@link RowSliceBuilder}. */
interface InteropRowReader extends Closeable {

    /**
     * Advances by at most one transaction; returns false at the end of the file.
     *
     * @throws io.nightjar.formats.text.BadRowException if the rest of the file cannot be parsed
     */
    boolean advance() throws IOException;

    @Override
    void close() throws IOException;

    /** Opens files of one format. */
    @FunctionalInterface
    interface Opener {
        InteropRowReader open(Path file, RowSliceBuilder sink) throws IOException;
    }
}
