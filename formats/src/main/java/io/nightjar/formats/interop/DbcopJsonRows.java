package io.nightjar.formats.interop;

import io.nightjar.formats.file.InputFile;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.JsonCursor;
import io.nightjar.formats.text.RowSliceBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/** Reads the JSON of dbcop as a stream: sessions of transactions, bare or as the member {@code data} of an object. */
final class DbcopJsonRows implements InteropRowReader {

    private static final long DATA = JsonCursor.packed("data");
    private static final long EVENTS = JsonCursor.packed("events");
    private static final long READ = JsonCursor.packed("Read");
    private static final long WRITE = JsonCursor.packed("Write");
    private static final long VARIABLE = JsonCursor.packed("variable");
    private static final long VERSION = JsonCursor.packed("version");
    private static final String COMMITTED = "committed";

    private final RowSliceBuilder sink;
    private final InputStream in;
    private final JsonCursor cursor = new JsonCursor();
    private long row;
    private long session = -1;
    private boolean isBegun;
    private boolean isInObject;
    private boolean isInSession;
    private boolean hasSessions; // inside the array of sessions, after its bracket or the last session

    DbcopJsonRows(Path file, RowSliceBuilder sink) throws IOException {
        InputFile.check(file);
        this.sink = sink;
        this.in = InputFile.openText(file);
        cursor.overStream(in);
    }

    @Override
    public boolean advance() throws IOException {
        cursor.forgetMark();
        if (!isBegun) {
            isBegun = true;
            begin();
        }
        while (!isInSession) {
            if (!hasSessions) {
                end();
                return false;
            }
            nextSession();
        }
        cursor.peek();
        cursor.mark();
        readRow();
        cursor.forgetMark();
        isInSession = cursor.takeComma(']');
        return true;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    // ---------------------------------------------------------------- document structure

    private void begin() throws IOException {
        isInObject = cursor.take('{');
        if (isInObject) {
            boolean hasMore = !cursor.take('}');
            while (hasMore) {
                if (cursor.readName() == DATA) {
                    beginSessions();
                    return;
                }
                cursor.skipValue();
                hasMore = cursor.takeComma('}');
            }
            throw BadRowException.of("member missing").with("name=data " + cursor.location());
        }
        beginSessions();
    }

    private void beginSessions() throws IOException {
        cursor.expect('[', "an array of sessions");
        hasSessions = !cursor.take(']');
        isInSession = false;
        if (hasSessions) {
            beginSession();
        }
    }

    private void nextSession() throws IOException {
        hasSessions = cursor.takeComma(']');
        if (hasSessions) {
            beginSession();
        }
    }

    private void beginSession() throws IOException {
        cursor.expect('[', "a session, which is an array of transactions");
        session++;
        isInSession = !cursor.take(']');
    }

    private void end() throws IOException {
        if (isInObject) {
            isInObject = false;
            while (cursor.takeComma('}')) {
                if (cursor.readName() == DATA) {
                    throw BadRowException.of("name twice in one object").with("name=data " + cursor.location());
                }
                cursor.skipValue();
            }
        }
        if (!cursor.isAtEnd()) {
            throw cursor.unexpected("nothing more after the history");
        }
    }

    // ---------------------------------------------------------------- transactions

    private void readRow() throws IOException {
        sink.beginRow(++row);
        boolean isCommitted;
        try {
            isCommitted = readTxn();
        } catch (BadRowException bad) {
            cursor.rewind();
            long start = cursor.offset();
            cursor.skipValue();
            sink.refuseRow(bad.fault(), cursor.copy(start, RowSliceBuilder.RAW_LENGTH));
            return;
        }
        sink.beginTxn(sink.position(), session, sink.positionIn(session))
                .status(isCommitted ? TxnStatus.COMMITTED : TxnStatus.ABORTED);
        sink.endRow(null);
    }

    private boolean readTxn() throws IOException {
        cursor.expect('{', "a transaction such as {\"events\":[],\"committed\":true}");
        boolean hasEvents = false;
        boolean hasCommitted = false;
        boolean isCommitted = false;
        boolean hasMore = !cursor.take('}');
        while (hasMore) {
            long name = cursor.readName();
            if (name == EVENTS && !hasEvents) {
                hasEvents = true;
                readEvents();
            } else if (isText(COMMITTED) && !hasCommitted) {
                hasCommitted = true;
                isCommitted = readBool();
            } else {
                throw unknown("a transaction", "events,committed");
            }
            hasMore = cursor.takeComma('}');
        }
        if (!hasEvents || !hasCommitted) {
            throw BadRowException.of("transaction is not complete")
                    .with("expected=events,committed " + cursor.location());
        }
        return isCommitted;
    }

    private boolean readBool() throws IOException {
        int next = cursor.peek();
        if (next != 't' && next != 'f') {
            throw cursor.unexpected("true or false");
        }
        cursor.skipValue();
        return next == 't';
    }

    private void readEvents() throws IOException {
        cursor.expect('[', "an array of events");
        boolean hasMore = !cursor.take(']');
        while (hasMore) {
            if (cursor.peek() == '[') {
                readCompactEvent();
            } else {
                readEvent();
            }
            hasMore = cursor.takeComma(']');
        }
    }

    /** Reads an event of the form {@code ["r",variable,version]}. */
    private void readCompactEvent() throws IOException {
        cursor.expect('[');
        long letter = cursor.readPackedString();
        if (letter != 'r' && letter != 'w') {
            throw BadRowException.of("unknown event")
                    .with("found=%s expected=r|w %s", cursor.textString(), cursor.location());
        }
        cursor.expect(',');
        long key = readVariable();
        cursor.expect(',');
        addOp(letter == 'w', key);
        cursor.expect(']');
    }

    /** Reads an event of the form {@code {"Read":{"variable":1,"version":2}}}. */
    private void readEvent() throws IOException {
        cursor.expect('{');
        long kind = cursor.readName();
        if (kind != READ && kind != WRITE) {
            throw unknown("an event", "Read,Write");
        }
        cursor.expect('{');
        boolean hasKey = false;
        boolean hasVersion = false;
        boolean isNull = false;
        long key = 0;
        long version = 0;
        boolean hasMore = !cursor.take('}');
        while (hasMore) {
            long name = cursor.readName();
            if (name == VERSION && !hasVersion) {
                hasVersion = true;
                isNull = cursor.takeNull();
                version = isNull ? 0 : sink.value(cursor.readLong());
            } else if (name == VARIABLE && !hasKey) {
                hasKey = true;
                key = readVariable();
            } else {
                throw unknown("an event", "variable,version");
            }
            hasMore = cursor.takeComma('}');
        }
        cursor.expect('}');
        boolean isWrite = kind == WRITE;
        // a member that may be null may also be missing
        isNull |= !hasVersion;
        if (!hasKey || (isWrite && isNull)) {
            throw BadRowException.of("event is not complete").with("expected=variable,version " + cursor.location());
        }
        if (isNull) {
            sink.ops().op(OpKind.READ_NOTHING, key, 0);
        } else {
            sink.ops().op(isWrite ? OpKind.WRITE : OpKind.READ, key, version);
        }
    }

    private void addOp(boolean isWrite, long key) throws IOException {
        if (isWrite) {
            sink.ops().op(OpKind.WRITE, key, sink.value(cursor.readLong()));
        } else if (cursor.takeNull()) {
            sink.ops().op(OpKind.READ_NOTHING, key, 0);
        } else {
            sink.ops().op(OpKind.READ, key, sink.value(cursor.readLong()));
        }
    }

    private long readVariable() throws IOException {
        if (cursor.peek() == '"') {
            cursor.readString();
            return sink.key(cursor.text(), cursor.textFrom(), cursor.textLength());
        }
        return sink.key(cursor.readLong());
    }

    /** Returns whether the name just read equals a name that is too long to be packed. */
    private boolean isText(String name) {
        return cursor.textLength() == name.length() && cursor.textString().equals(name);
    }

    private BadRowException unknown(String of, String expected) {
        return BadRowException.of("unknown or repeated member of " + of)
                .with("name=%s expected=%s %s", cursor.textString(), expected, cursor.location());
    }
}
