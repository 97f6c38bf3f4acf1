package io.nightjar.formats.text;

import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.Column;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.InputFault;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.UnnumberedRowException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Makes slices of lines of JSON Lines as they arrive. No line is so bad that those behind it are not read. */
public final class LineDecoder {

    private final RowSink sink;
    private final JsonLinesRow row = new JsonLinesRow();
    private final JsonCursor cursor = new JsonCursor();
    private long lines;

    /** @param name what messages and rows call the source */
    public LineDecoder(String name, BadRows badRows) {
        this.sink = new RowSink(Column.all(), badRows, true, false);
        sink.beginFile(name);
    }

    /**
     * Takes a line without its end.
     *
     * @param bytes one more byte than the line, which may be overwritten
     */
    public void line(byte[] bytes, int from, int to) {
        lines++;
        String doubt = row.doubt(bytes, from, to);
        if (doubt != null) {
            sink.refuseLine(lines, InputFault.of("no level can be said to hold").with(doubt), text(bytes, from, to));
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
        } catch (UnnumberedRowException unnumbered) {
            throw unnumbered;
        } catch (MalformedHistoryException bad) {
            sink.refuseRow(bad.fault(), text(bytes, from, to));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, Math.min(to - from, RowSink.RAW_LENGTH), StandardCharsets.UTF_8);
    }

    /** Lines so far, good and bad. */
    public long lines() {
        return lines;
    }

    /** Continues behind the given number of lines, which were decoded before. */
    public void skipTo(long line) {
        lines = line;
    }

    public boolean isFull() {
        return sink.isFull();
    }

    /** The transactions since the last slice, or null if there are none. */
    public @Nullable HistorySlice take() {
        return sink.isEmpty() ? null : sink.take();
    }
}
