package io.nightjar.formats.interop;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.LineReader;
import io.nightjar.formats.text.RowSliceBuilder;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Reads the text of AWDIT's tests: one operation per line, a line of - after each transaction, a line of = after each
 * session.
 */
final class AwditRows implements InteropRowReader {

    private final RowSliceBuilder sink;
    private final LineReader lines;
    private final OpText line = new OpText();
    private long session;

    AwditRows(Path file, RowSliceBuilder sink) throws IOException {
        this.sink = sink;
        this.lines = new LineReader(file);
    }

    /** Reads up to the end of a transaction. Two adjacent rulers do not enclose a transaction. */
    @Override
    public boolean advance() throws IOException {
        boolean hasOps = false;
        while (lines.advance()) {
            line.over(lines.bytes(), lines.start(), lines.end());
            if (line.isAtEnd()) {
                continue;
            }
            int first = line.peek();
            boolean isRuler = (first == '-' && line.takeRuler('-')) || (first == '=' && line.takeRuler('='));
            if (isRuler) {
                if (hasOps) {
                    endTxn();
                }
                session += first == '=' ? 1 : 0;
                return true;
            }
            hasOps |= readOp(hasOps);
        }
        if (hasOps) {
            endTxn();
        }
        return false;
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }

    private boolean readOp(boolean isBegun) {
        try {
            int letter = line.peek();
            if (letter != 'r' && letter != 'w') {
                throw line.unexpected("r, w, a line of - or a line of =");
            }
            line.skip(1);
            if (!line.skipBlanks()) {
                throw line.unexpected("a blank");
            }
            long key = line.readLong("key");
            if (!line.skipBlanks()) {
                throw line.unexpected("a blank");
            }
            long value = line.readLong("value");
            if (!line.isAtEnd()) {
                throw line.unexpected("the end of the line");
            }
            if (!isBegun) {
                sink.beginRow(lines.line());
            }
            sink.ops().op(letter == 'w' ? OpKind.WRITE : OpKind.READ, sink.key(key), sink.value(value));
            return true;
        } catch (BadRowException bad) {
            sink.refuseLine(lines.line(), bad.fault(), lines.text(RowSliceBuilder.RAW_LENGTH));
            return false;
        }
    }

    private void endTxn() {
        sink.beginTxn(sink.position(), session, sink.positionIn(session));
        sink.endRow(null);
    }
}
