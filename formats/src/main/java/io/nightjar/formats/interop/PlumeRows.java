package io.nightjar.formats.interop;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.LineReader;
import io.nightjar.formats.text.RowSliceBuilder;
import java.io.IOException;
import java.nio.file.Path;

/** Streaming reader of the text of Plume and PolySI, for files with contiguous operations of each transaction. */
final class PlumeRows implements InteropRowReader {

    private final RowSliceBuilder sink;
    private final LineReader lines;
    private final PlumeLine line = new PlumeLine();
    private boolean hasLine;
    private long abortedSeen;

    PlumeRows(Path file, RowSliceBuilder sink) throws IOException {
        this.sink = sink;
        this.lines = new LineReader(file);
    }

    @Override
    public boolean advance() throws IOException {
        if (!hasLine && !nextLine()) {
            return false;
        }
        long session = line.session;
        long txn = line.txn;
        sink.beginRow(lines.line());
        do {
            sink.ops().op(line.isWrite ? OpKind.WRITE : OpKind.READ, sink.key(line.key), sink.value(line.value));
            hasLine = nextLine();
        } while (hasLine && line.txn == txn && line.session == session);
        boolean isAborted = txn == PlumeLine.ABORTED;
        long id = isAborted ? - ++abortedSeen : txn;
        sink.beginTxn(id, session, sink.positionIn(session))
                .status(isAborted ? TxnStatus.ABORTED : TxnStatus.COMMITTED);
        sink.endRow(null);
        return true;
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }

    private boolean nextLine() throws IOException {
        while (lines.advance()) {
            try {
                if (line.read(lines)) {
                    return true;
                }
            } catch (BadRowException bad) {
                sink.refuseLine(lines.line(), bad.fault(), lines.text(RowSliceBuilder.RAW_LENGTH));
            }
        }
        return false;
    }
}
