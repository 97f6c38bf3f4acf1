package io.nightjar.formats.interop;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.LineReader;
import io.nightjar.formats.text.RowSliceBuilder;
import io.nightjar.formats.text.Utf8;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Reads the text of dbcop: {@code [x:=1 y==2 z==?]!}, several transactions per line, a line of - after each session.
 */
final class HistRows implements InteropRowReader {

    private final RowSliceBuilder sink;
    private final LineReader lines;
    private final OpText line = new OpText();
    private long session;
    private boolean isInLine;

    HistRows(Path file, RowSliceBuilder sink) throws IOException {
        this.sink = sink;
        this.lines = new LineReader(file);
    }

    @Override
    public boolean advance() throws IOException {
        if (!isInLine) {
            if (!lines.advance()) {
                return false;
            }
            line.over(lines.bytes(), lines.start(), lines.end());
            isInLine = true;
        }
        line.skipBlanks();
        boolean isComment = line.peek() == '/' && line.peekSecond() == '/';
        if (line.isAtEnd() || isComment) {
            isInLine = false;
        } else if (line.peek() == '-' && line.takeRuler('-')) {
            session++;
            isInLine = false;
        } else {
            readRow();
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }

    private void readRow() {
        sink.beginRow(lines.line());
        boolean isCommitted;
        try {
            isCommitted = readTxn();
        } catch (BadRowException bad) {
            isInLine = false; // the beginning of the next transaction is unknown
            sink.refuseRow(bad.fault(), lines.text(RowSliceBuilder.RAW_LENGTH));
            return;
        }
        sink.beginTxn(sink.position(), session, sink.positionIn(session))
                .status(isCommitted ? TxnStatus.COMMITTED : TxnStatus.ABORTED);
        sink.endRow(null);
    }

    private boolean readTxn() {
        line.expect('[');
        boolean isSeparated = true;
        while (!line.take(']')) {
            if (!isSeparated) {
                throw line.unexpected("a blank or ']'");
            }
            readOp();
            isSeparated = line.skipBlanks();
        }
        return !line.take('!');
    }

    private void readOp() {
        int name = line.position();
        int at = name;
        while (at < line.end() && isNameByte(line.bytes()[at])) {
            at++;
        }
        int length = at - name;
        if (length == 0 || !Utf8.isWellFormed(line.bytes(), name, length)) {
            throw line.unexpected("a variable or ']'");
        }
        line.skip(length);
        long key = sink.key(line.bytes(), name, length);
        if (line.take(':')) {
            line.expect('=');
            sink.ops().op(OpKind.WRITE, key, sink.value(line.readLong("version")));
            return;
        }
        for (int sign = 0; sign < 2; sign++) {
            if (!line.take('=')) {
                throw line.unexpected(":= or ==");
            }
        }
        if (line.take('?')) {
            sink.ops().op(OpKind.READ_NOTHING, key, 0);
        } else {
            sink.ops().op(OpKind.READ, key, sink.value(line.readLong("version")));
        }
    }

    /** Returns whether a byte may occur in a name: letters of any alphabet, digits and underscores. */
    static boolean isNameByte(byte b) {
        return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9') || b == '_' || b < 0;
    }
}
