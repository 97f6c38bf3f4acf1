package io.nightjar.formats.text;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.SliceReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads one file after the other into slices; a slice contains rows of one file only.
 *
 * @param <R> reader of the rows of one file
 */
public abstract class FileByFile<R extends Closeable> implements SliceReader {

    protected final RowSliceBuilder sink;

    private final List<Path> files;
    private int nextFile;
    private @Nullable R rows;

    protected FileByFile(List<Path> files, RowSliceBuilder sink) {
        this.files = files;
        this.sink = sink;
    }

    /** Opens a file; the file is already set in the sink. */
    protected abstract R open(Path file) throws IOException;

    /** Passes the next row, if it is valid, to the sink; returns false at the end of the file. */
    protected abstract boolean readNext(R of) throws IOException;

    @Override
    public final @Nullable HistorySlice next() throws IOException {
        while (true) {
            if (rows != null && readNext(rows)) {
                if (sink.isFull()) {
                    return sink.take();
                }
                continue;
            }
            if (!sink.isEmpty()) {
                return sink.take();
            }
            close();
            if (nextFile == files.size()) {
                return null;
            }
            Path file = files.get(nextFile++);
            sink.beginFile(file.toString());
            rows = open(file);
        }
    }

    @Override
    public final void close() throws IOException {
        if (rows != null) {
            rows.close();
            rows = null;
        }
    }
}
