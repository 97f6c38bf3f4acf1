package io.nightjar.formats.text;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads the files of a history with one transaction per line. */
final class LineSliceReader extends FileByFile<LineReader> {

    private final Row row;
    private final JsonCursor cursor = new JsonCursor();
    private final Consumer<String> doubts;

    /** @param doubts called with the reason why no level can hold, if a line states one */
    LineSliceReader(
            List<Path> files, Set<ColumnGroup> wanted, BadRowHandler badRows, Row row, Consumer<String> doubts) {
        super(files, new RowSliceBuilder(wanted, badRows, true));
        this.row = row;
        this.doubts = doubts;
    }

    @Override
    protected LineReader open(Path file) throws IOException {
        return new LineReader(file);
    }

    @Override
    protected boolean readNext(LineReader lines) throws IOException {
        if (!lines.advance()) {
            return false;
        }
        readLine(lines);
        return true;
    }

    private void readLine(LineReader lines) throws IOException {
        String doubt = row.doubt(lines.bytes(), lines.start(), lines.end());
        if (doubt != null) {
            doubts.accept(doubt);
            return;
        }
        cursor.overLine(lines.bytes(), lines.start(), lines.end());
        if (row.isPassedOver(cursor)) {
            return;
        }
        sink.beginRow(lines.line());
        try {
            row.read(cursor, sink);
        } catch (BadRowException bad) {
            sink.refuseRow(bad.fault(), lines.text(RowSliceBuilder.RAW_LENGTH));
            return;
        }
        row.addTo(sink);
    }

    /** Parser of a line of one format. */
    interface Row {

        /** Returns the reason why no level can hold, if the line contains only that; null otherwise. */
        @Nullable
        String doubt(byte[] bytes, int from, int to);

        /** Returns whether the line contains no transaction and is still valid. */
        boolean isPassedOver(JsonCursor cursor) throws IOException;

        /** Reads the line and adds its operations to the sink. */
        void read(JsonCursor cursor, RowSliceBuilder sink) throws IOException;

        /** Adds the ids and other columns of the line to the sink. */
        void addTo(RowSliceBuilder sink);
    }
}
