package io.nightjar.formats.text;

import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import java.io.IOException;
import java.util.List;

/** Reads the operations of a line of JSON Lines: {@code [["w","x",1],["r","y",null],["r","l",[3,7],{"version":2}]]}. */
final class JsonOps {

    private static final long[] WORDS = JsonCursor.packed(OpKind.words());
    private static final byte[] CODES = codes();

    private static final List<HistoryColumn> ATTRIBUTES = HistoryColumn.OP_NUMBERS;
    private static final long[] ATTRIBUTE_NAMES = JsonCursor.packed(HistoryColumn.shortNames(ATTRIBUTES));
    private static final String EXPECTED_ATTRIBUTES = String.join("|", HistoryColumn.shortNames(ATTRIBUTES));

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
        for (int i = 0; i < WORDS.length; i++) {
            if (word == WORDS[i]) {
                return CODES[i];
            }
        }
        throw new BadRowException("unknown operation kind: kind=%s expected=%s %s"
                .formatted(cursor.textString(), OpKind.expected(), cursor.place()));
    }

    private static byte[] codes() {
        byte[] codes = new byte[WORDS.length];
        for (int i = 0; i < codes.length; i++) {
            codes[i] = (byte) OpKind.code(OpKind.words().get(i));
        }
        return codes;
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
        int seen = 0;
        do {
            int attribute = attributeOf(cursor.readName());
            if (attribute < 0 || (seen >>> attribute & 1) != 0) {
                throw new BadRowException("unknown or repeated attribute of an operation: name=%s expected=%s %s"
                        .formatted(cursor.textString(), EXPECTED_ATTRIBUTES, cursor.place()));
            }
            seen |= 1 << attribute;
            HistoryColumn column = ATTRIBUTES.get(attribute);
            long number = attribute(column.shortName());
            if (number != HistorySlice.NONE) {
                sink.ops().opNumber(column, number);
            }
        } while (cursor.takeComma('}'));
    }

    private static int attributeOf(long name) {
        int attribute = ATTRIBUTE_NAMES.length - 1;
        while (attribute >= 0 && ATTRIBUTE_NAMES[attribute] != name) {
            attribute--;
        }
        return attribute;
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
