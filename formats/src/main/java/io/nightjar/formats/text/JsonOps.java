package io.nightjar.formats.text;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import java.io.IOException;

/** Reads the operations of a line of JSON Lines: {@code [["w","x",1],["r","y",null],["r","l",[3,7],{"version":2}]]}. */
final class JsonOps {

    private static final long READ = JsonCursor.packed("r");
    private static final long WRITE = JsonCursor.packed("w");
    private static final long APPEND = JsonCursor.packed("append");
    private static final long ADD = JsonCursor.packed("add");
    private static final long INCREMENT = JsonCursor.packed("inc");
    private static final long VERSION = JsonCursor.packed("version");
    private static final long WRITER = JsonCursor.packed("writer");

    private JsonCursor cursor;
    private RowSink sink;

    /** Reads the array that the cursor stands on. */
    void read(JsonCursor from, RowSink into) throws IOException {
        cursor = from;
        sink = into;
        if (cursor.peek() != '[') {
            throw cursor.unexpected("an array of operations");
        }
        cursor.expect('[');
        if (cursor.take(']')) {
            return;
        }
        do {
            readOp();
        } while (cursor.takeComma(']'));
    }

    private void readOp() throws IOException {
        if (cursor.peek() != '[') {
            throw cursor.unexpected("an operation such as [\"w\",\"x\",1]");
        }
        cursor.expect('[');
        byte kind = kind();
        expectComma();
        long key = key();
        expectComma();
        if (kind == OpKind.READ) {
            readRead(key);
        } else {
            sink.ops().op(kind, key, scalar("a string or an integer to write"));
        }
        if (cursor.takeComma(']')) {
            readAttributes();
            if (cursor.takeComma(']')) {
                throw cursor.unexpected("no fifth member of an operation");
            }
        }
    }

    private void expectComma() throws IOException {
        if (!cursor.take(',')) {
            throw cursor.unexpected("kind, key and value of an operation");
        }
    }

    private byte kind() throws IOException {
        long word = cursor.readPackedString();
        if (word == READ) {
            return OpKind.READ;
        }
        if (word == WRITE) {
            return OpKind.WRITE;
        }
        if (word == APPEND) {
            return OpKind.APPEND;
        }
        if (word == ADD) {
            return OpKind.ADD;
        }
        if (word == INCREMENT) {
            return OpKind.INCREMENT;
        }
        throw new BadRowException("unknown operation kind: kind=%s expected=r|w|append|add|inc %s"
                .formatted(cursor.textString(), cursor.place()));
    }

    private long key() throws IOException {
        if (cursor.isNumberNext()) {
            return sink.key(cursor.readLong());
        }
        if (cursor.peek() != '"') {
            throw cursor.unexpected("a string or an integer as key");
        }
        cursor.readString();
        return sink.key(cursor.text(), cursor.textFrom(), cursor.textLength());
    }

    private long scalar(String expected) throws IOException {
        if (cursor.isNumberNext()) {
            return sink.value(cursor.readLong());
        }
        if (cursor.peek() != '"') {
            throw cursor.unexpected(expected);
        }
        cursor.readString();
        return sink.value(cursor.text(), cursor.textFrom(), cursor.textLength());
    }

    private void readRead(long key) throws IOException {
        int next = cursor.peek();
        if (next == 'n' && cursor.takeNull()) {
            sink.ops().op(OpKind.READ_NOTHING, key, 0);
        } else if (next == '[') {
            cursor.expect('[');
            sink.ops().beginList();
            if (!cursor.take(']')) {
                do {
                    sink.ops().element(scalar("a string or an integer in a list"));
                } while (cursor.takeComma(']'));
            }
            sink.ops().listRead(key);
        } else {
            sink.ops().op(OpKind.READ, key, scalar("a value, a list or null"));
        }
    }

    private void readAttributes() throws IOException {
        if (cursor.peek() != '{') {
            throw cursor.unexpected("an object with version or writer");
        }
        cursor.expect('{');
        if (cursor.take('}')) {
            return;
        }
        boolean hasVersion = false;
        boolean hasWriter = false;
        do {
            long name = cursor.readName();
            if (name == VERSION && !hasVersion) {
                hasVersion = true;
                long version = attribute("version");
                if (version != HistorySlice.NONE) {
                    sink.ops().version(version);
                }
            } else if (name == WRITER && !hasWriter) {
                hasWriter = true;
                long writer = attribute("writer");
                if (writer != HistorySlice.NONE) {
                    sink.ops().writerTxn(writer);
                }
            } else {
                throw new BadRowException(
                        "unknown or repeated attribute of an operation: name=%s expected=version|writer %s"
                                .formatted(cursor.textString(), cursor.place()));
            }
        } while (cursor.takeComma('}'));
    }

    private long attribute(String name) throws IOException {
        if (cursor.takeNull()) {
            return HistorySlice.NONE;
        }
        if (!cursor.isNumberNext()) {
            throw cursor.unexpected("an integer as " + name);
        }
        long number = cursor.readLong();
        if (number == HistorySlice.NONE) {
            throw JsonLinesRow.reserved(name);
        }
        return number;
    }
}
