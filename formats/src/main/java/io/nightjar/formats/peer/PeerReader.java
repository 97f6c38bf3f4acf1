package io.nightjar.formats.peer;

import io.nightjar.formats.file.DamagedDataException;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.RowSink;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes slices of the files of a history in a foreign format. */
@SuppressWarnings("NullAway") // fields are set, and cleared, by methods
final class PeerReader implements SliceReader {

    private final List<Path> files;
    private final PeerRows.Opener opener;
    private final RowSink sink;
    private int nextFile;
    private PeerRows rows;

    PeerReader(List<Path> files, PeerRows.Opener opener, RowSink sink) {
        this.files = files;
        this.opener = opener;
        this.sink = sink;
    }

    @Override
    public @Nullable HistorySlice next() throws IOException {
        while (true) {
            if (rows != null && advance()) {
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
            rows = opener.open(file, sink);
        }
    }

    @Override
    public void close() throws IOException {
        if (rows != null) {
            rows.close();
            rows = null;
        }
    }

    private boolean advance() throws IOException {
        try {
            return rows.advance();
        } catch (BadRowException | DamagedDataException beyondRepair) {
            throw sink.malformed(beyondRepair.getMessage(), beyondRepair);
        }
    }
}
