package io.nightjar.formats.cdc;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.RowSliceBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Iterator over the events of the files of a log in file order, each with its transaction. */
final class EventFiles implements ChangeRecords {

    private final List<Path> files;
    private final ChangeFormat format;
    private final RowSliceBuilder sink;
    private final RowChangeMapper ops;
    private final ChangeEvent event = new ChangeEvent();

    private int nextFile;
    private @Nullable ChangeParser parser;
    private @Nullable String open; // the transaction of events without a transaction name
    private long nameless;
    private long cut;

    /** @param sink called for bad rows */
    EventFiles(List<Path> files, ChangeFormat format, ChangeFacts facts, RowSliceBuilder sink) {
        this.files = files;
        this.format = format;
        this.sink = sink;
        this.ops = new RowChangeMapper(facts);
    }

    @Override
    public boolean next(DecodedChange into) throws IOException {
        while (parser != null || openNext()) {
            String file = files.get(nextFile - 1).toString();
            try {
                if (!requireNonNull(parser).advance(event)) {
                    close();
                } else if (event.type != ChangeEvent.Type.NOTHING) {
                    take(into);
                    return true;
                }
            } catch (BadRowException bad) {
                if (requireNonNull(parser).isLost()) {
                    throw sink.malformed(file, parser.row(), bad.fault(), bad);
                }
                sink.refuseLine(file, parser.row(), bad.fault(), parser.raw());
            }
        }
        return false;
    }

    private boolean openNext() throws IOException {
        if (nextFile == files.size()) {
            return false;
        }
        Path file = files.get(nextFile++);
        try {
            parser = format.open(file);
        } catch (BadRowException notOne) {
            throw new MalformedHistoryException(InputLocation.file(file.toString()), notOne.fault(), notOne);
        }
        return true;
    }

    private void take(DecodedChange record) {
        boolean isChange = event.type == ChangeEvent.Type.WRITE || event.type == ChangeEvent.Type.DELETE;
        record.take(event, isChange ? changed() : event.type == ChangeEvent.Type.BEGIN ? begun() : ended());
        record.file = nextFile - 1;
        record.row = requireNonNull(parser).row();
        if (isChange) {
            ops.add(event, record);
        }
    }

    private String begun() {
        open = event.txn == null ? "#" + ++nameless : event.txn;
        return open;
    }

    private String changed() {
        return event.txn != null ? event.txn : open != null ? open : cut();
    }

    private String ended() {
        String ended = open != null && format.isFramed() || event.txn == null ? open : event.txn;
        String name = ended == null ? cut() : ended;
        if (format.isFramed()) {
            open = null;
        }
        return name;
    }

    /**
     * Returns the name for changes without a start: the log begins inside a transaction, which ends with the next
     * commit.
     */
    private String cut() {
        cut++;
        open = ChangeReader.CUT + cut;
        return open;
    }

    @Override
    public void close() throws IOException {
        if (parser != null) {
            parser.close();
            parser = null;
        }
    }
}
