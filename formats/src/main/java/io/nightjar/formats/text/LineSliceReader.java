package io.nightjar.formats.text;

import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.Column;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.SliceReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the files of a history that has one transaction a line. */
@SuppressWarnings("NullAway") // fields are set, and cleared, by methods
final class LineSliceReader implements SliceReader {

    private final List<Path> files;
    private final RowSink sink;
    private final Row row;
    private final JsonCursor cursor = new JsonCursor();
    private int nextFile;
    private LineReader lines;

    LineSliceReader(List<Path> files, Set<Column> wanted, BadRows badRows, Row row) {
        this.files = files;
        this.sink = new RowSink(wanted, badRows, true);
        this.row = row;
    }

    @Override
    public @Nullable HistorySlice next() throws IOException {
        while (true) {
            if (lines != null && lines.advance()) {
                readLine();
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
            lines = new LineReader(file);
            sink.beginFile(file.toString());
        }
    }

    @Override
    public void close() throws IOException {
        if (lines != null) {
            lines.close();
            lines = null;
        }
    }

    private void readLine() throws IOException {
        cursor.overLine(lines.bytes(), lines.start(), lines.end());
        if (row.isPassedOver(cursor)) {
            return;
        }
        sink.beginRow(lines.line());
        try {
            row.read(cursor, sink);
        } catch (BadRowException bad) {
            sink.refuseRow(bad.getMessage(), lines.text(RowSink.RAW_LENGTH));
            return;
        }
        row.addTo(sink);
    }

    /** What a line means in one format. */
    interface Row {

        /** Whether the line holds no transaction and is none the worse for it. */
        boolean isPassedOver(JsonCursor cursor) throws IOException;

        /** Reads the line; its operations go to the sink at once. */
        void read(JsonCursor cursor, RowSink sink) throws IOException;

        /** Gives the sink the ids and other columns of the line that was read. */
        void addTo(RowSink sink);
    }
}
