package io.nightjar.formats.text;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.MissingRowIdException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Decodes arriving lines of JSON Lines into slices. A malformed line never prevents later lines from being read. */
public final class LineDecoder {

    private final RowSliceBuilder sink;
    private final JsonLinesRow row = new JsonLinesRow();
    private final JsonCursor cursor = new JsonCursor();
    private long lines;

    /** @param name name of the source in messages and rows */
    public LineDecoder(String name, BadRowHandler badRows) {
        this.sink = new RowSliceBuilder(ColumnGroup.all(), badRows, true, false);
        sink.beginFile(name);
    }

    /**
     * Decodes a line without its end.
     *
     * @param bytes one more byte than the line, which may be overwritten
     */
    public void line(byte[] bytes, int from, int to) {
        lines++;
        String doubt = row.doubt(bytes, from, to);
        if (doubt != null) {
            sink.refuseLine(
                    lines, InputError.of("no level can be proved to hold").with(doubt), text(bytes, from, to));
            return;
        }
        cursor.overLine(bytes, from, to);
        try {
            if (row.isPassedOver(cursor)) {
                return;
            }
            sink.beginRow(lines);
            row.read(cursor, sink);
            row.addTo(sink);
        } catch (BadRowException bad) {
            sink.refuseRow(bad.fault(), text(bytes, from, to));
        } catch (MissingRowIdException unnumbered) {
            throw unnumbered;
        } catch (MalformedHistoryException bad) {
            sink.refuseRow(bad.fault(), text(bytes, from, to));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, Math.min(to - from, RowSliceBuilder.RAW_LENGTH), StandardCharsets.UTF_8);
    }

    /** Returns the number of lines so far, including malformed ones. */
    public long lines() {
        return lines;
    }

    /** Skips the given number of lines, which were decoded before. */
    public void skipTo(long line) {
        lines = line;
    }

    public boolean isFull() {
        return sink.isFull();
    }

    /** Returns the transactions since the last slice, or null if none were decoded. */
    public @Nullable HistorySlice take() {
        return sink.isEmpty() ? null : sink.take();
    }
}
