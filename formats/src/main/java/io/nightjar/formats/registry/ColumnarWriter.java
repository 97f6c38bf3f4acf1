package io.nightjar.formats.registry;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.file.AtomicFile;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.OpColumns;
import io.nightjar.formats.history.RereadableWriter;
import io.nightjar.formats.text.CommonTypes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes a file whose columns are declared before its rows: with columns of predicate reads and conditional writes only
 * if the history needs them, and with JSON text if keys or values have several types.
 */
final class ColumnarWriter implements HistoryWriter {

    /*
     * The first slices are buffered, since most histories that have predicate reads, or several types, have them early.
     * If one occurs later, the written rows are read again from the file, which is still hidden.
     */

    private static final long MAX_WAITING = 1 << 17; // total of transactions and operations

    private final Path file;
    private final Format format;
    private final Opening opening;
    private final CommonTypes types = new CommonTypes();
    private final List<HistorySlice> waiting = new ArrayList<>();
    private long waitingCount;
    private @Nullable String doubt; // null if none
    private boolean isDecided;
    private OpColumns opColumns = OpColumns.OF_ITEMS;
    private @Nullable RereadableWriter rows; // null for a stream before the first write

    /** Opens a writer of the format. */
    interface Opening {
        RereadableWriter open(Path file, OpColumns opColumns) throws IOException;
    }

    ColumnarWriter(Path file, Format format, Opening opening) throws IOException {
        this.file = file;
        this.format = format;
        this.opening = opening;
        this.rows = AtomicFile.isStream(file) ? null : opening.open(file, opColumns); // report an unwritable file now
    }

    @Override
    public void write(HistorySlice slice) throws IOException {
        boolean areTypesNew = holdAsJsonWith(slice);
        OpColumns needed = opColumns.with(OpColumns.of(slice));
        boolean addsColumns = !needed.equals(opColumns);
        if (isDecided && (areTypesNew || addsColumns)) {
            String first =
                    needed.hasPredicates() && !opColumns.hasPredicates() ? "predicate read" : "conditional write";
            beginAgain(addsColumns ? first : "key or value of another type", needed);
        } else if (addsColumns) {
            decide(needed);
        }
        if (isDecided) {
            requireNonNull(rows).write(types.convert(slice));
            return;
        }
        waiting.add(slice);
        waitingCount += slice.opCount + slice.txnCount;
        if (waitingCount > MAX_WAITING) {
            decide(opColumns);
        }
    }

    /** Returns whether a slice changes keys or values to JSON text. */
    private boolean holdAsJsonWith(HistorySlice slice) {
        boolean isNew = false;
        MalformedHistoryException difference = types.differenceOf(slice);
        while (difference != null && types.holdAsJson(difference.fault().kind())) {
            isNew = true;
            difference = types.differenceOf(slice);
        }
        return isNew;
    }

    @Override
    public boolean takesMixedTypes() {
        return true;
    }

    private void decide(OpColumns needed) throws IOException {
        isDecided = true;
        if (rows != null && !needed.equals(opColumns)) {
            rows.close();
            rows = null;
        }
        opColumns = needed;
        if (rows == null) {
            rows = opening.open(file, needed);
        }
        for (HistorySlice slice : waiting) {
            rows.write(types.convert(slice));
        }
        waiting.clear();
    }

    private void beginAgain(String first, OpColumns needed) throws IOException {
        opColumns = needed;
        try (RereadableWriter without = rows) {
            Path written = requireNonNull(without).complete();
            if (written == null) {
                throw new IOException("first " + first + " comes too late for a stream: output=" + file
                        + "; write to a file, or as JSON Lines");
            }
            rows = opening.open(file, needed);
            try (HistorySource source = Histories.open(written, format.spelling)) {
                source.allowMixedTypes();
                RereadableWriter copy = rows;
                source.forEachSlice(BadRowHandler.REJECT, slice -> copy.write(types.convert(slice)));
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
            decide(opColumns);
        }
        if (doubt != null) {
            requireNonNull(rows).doubt(doubt);
        }
        requireNonNull(rows).finish();
    }

    @Override
    public void close() throws IOException {
        waiting.clear();
        if (rows != null) {
            rows.close();
        }
    }
}
