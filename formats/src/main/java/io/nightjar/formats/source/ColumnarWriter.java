package io.nightjar.formats.source;

import io.nightjar.formats.file.HiddenFile;
import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.Column;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.RereadableWriter;
import io.nightjar.formats.history.SliceReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes a file whose columns are declared before its rows: with the columns of predicate reads if there is one, and
 * without them, as files always were, if there is none.
 */
@SuppressWarnings("NullAway") // fields are set, and cleared, by methods
final class ColumnarWriter implements HistoryWriter {

    /*
     * The first slices wait in memory, since most histories that have predicate reads have one early. If the first one
     * comes later, the rows that were written without the columns are read again, from the file that is still hidden.
     */

    private static final long MOST_WAITING = 1 << 17; // transactions and operations

    private final Path file;
    private final Format format;
    private final Opening opening;
    private final List<HistorySlice> waiting = new ArrayList<>();
    private long waitingCount;
    private String doubt; // null for none
    private boolean isDecided;
    private boolean isRelational;
    private RereadableWriter rows; // null for a stream that nothing was written to yet

    /** Opens a writer of the format. */
    interface Opening {
        RereadableWriter open(Path file, boolean isRelational) throws IOException;
    }

    ColumnarWriter(Path file, Format format, Opening opening) throws IOException {
        this.file = file;
        this.format = format;
        this.opening = opening;
        this.rows = HiddenFile.isStream(file) ? null : opening.open(file, false); // what cannot be written is said now
    }

    @Override
    public void write(HistorySlice slice) throws IOException {
        if (slice.isRelational() && !isRelational) {
            if (isDecided) {
                beginAgain();
            } else {
                decide(true);
            }
        }
        if (isDecided) {
            rows.write(slice);
            return;
        }
        waiting.add(slice);
        waitingCount += slice.opCount + slice.txnCount;
        if (waitingCount > MOST_WAITING) {
            decide(false);
        }
    }

    private void decide(boolean withPredicates) throws IOException {
        isDecided = true;
        isRelational = withPredicates;
        if (rows != null && withPredicates) {
            rows.close();
            rows = null;
        }
        if (rows == null) {
            rows = opening.open(file, withPredicates);
        }
        for (HistorySlice slice : waiting) {
            rows.write(slice);
        }
        waiting.clear();
    }

    private void beginAgain() throws IOException {
        isRelational = true;
        try (RereadableWriter without = rows) {
            Path written = without.complete();
            if (written == null) {
                throw new IOException("first predicate read comes too late for a stream: output=" + file
                        + "; write to a file, or as JSON Lines");
            }
            rows = opening.open(file, true);
            try (HistorySource source = Histories.open(written, format.spelling)) {
                for (int split = 0; split < source.splits().size(); split++) {
                    copy(source, split);
                }
            }
        }
    }

    private void copy(HistorySource source, int split) throws IOException {
        try (SliceReader reader = source.open(split, Column.all(), BadRows.REJECT)) {
            for (HistorySlice slice = reader.next(); slice != null; slice = reader.next()) {
                rows.write(slice);
            }
        }
    }

    @Override
    public boolean doubt(String why) {
        doubt = why;
        return true;
    }

    @Override
    public void finish() throws IOException {
        if (!isDecided) {
            decide(false);
        }
        if (doubt != null) {
            rows.doubt(doubt);
        }
        rows.finish();
    }

    @Override
    public void close() throws IOException {
        waiting.clear();
        if (rows != null) {
            rows.close();
        }
    }
}
