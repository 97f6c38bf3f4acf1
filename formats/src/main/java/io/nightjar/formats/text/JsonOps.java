package io.nightjar.formats.text;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SetsFields;
import java.io.IOException;
import java.util.List;

/** Reads the operations of a line of JSON Lines: {@code [["w","x",1],["r","y",null],["r","l",[3,7],{"version":2}]]}. */
final class JsonOps {

    private static final long[] WORDS = JsonCursor.packed(OpKind.words());
    private static final byte[] CODES = codes();

    private static final List<HistoryColumn> ATTRIBUTES = HistoryColumn.OP_NUMBERS.stream()
            .filter(HistoryColumn.OF_ITEM_OPS::contains)
            .toList();
    private static final long[] ATTRIBUTE_NAMES = JsonCursor.packed(HistoryColumn.shortNames(ATTRIBUTES));
    private static final String EXPECTED_ATTRIBUTES = String.join("|", HistoryColumn.shortNames(ATTRIBUTES));

    private static final String RELATION = "relation";
    private static final String READ_TS = requireNonNull(HistoryColumn.READ_TS.shortName());
    private static final String VALUE = "value";
    private static final String PARAMS = HistoryColumn.PARAMS.columnName();
    private static final String DONE = HistoryColumn.DONE.columnName();
    private static final String RESULT = HistoryColumn.RESULT.columnName();
    private static final String LIMIT = HistoryColumn.LIMIT.columnName();
    private static final String ORDER = HistoryColumn.ORDER.columnName();

    private final CanonicalJson canonicalJson = new CanonicalJson();
    private JsonCursor cursor;
    private RowSliceBuilder sink;
    private boolean sawPredicate;
    private boolean sawCondition;

    /** Reads the array at the cursor. */
    @SetsFields
    void read(JsonCursor from, RowSliceBuilder into) throws IOException {
        cursor = from;
        sink = into;
        sawPredicate = false;
        sawCondition = false;
        cursor.expect('[', "an array of operations");
        if (cursor.take(']')) {
            return;
        }
        do {
            readOp();
        } while (cursor.takeComma(']'));
        InputError fault = sawPredicate ? sink.ops().predicateFault() : null;
        if (fault != null) {
            throw new BadRowException(fault);
        }
    }

    /** Checks the conditional writes of the array read last, given the status of its transaction. */
    void checkConditions(byte status) {
        InputError fault = sawCondition ? sink.ops().conditionFault(status) : null;
        if (fault != null) {
            throw new BadRowException(fault);
        }
    }

    private void readOp() throws IOException {
        cursor.expect('[', "an operation such as [\"w\",\"x\",1]");
        byte kind = kind();
        expectComma();
        if (OpKind.isPredicate(kind)) {
            readPredicate();
            return;
        }
        long key = key();
        if (kind == OpKind.READ) {
            expectComma();
            readRead(key);
        } else if (OpKind.isRelational(kind)) {
            if (!readRelational(kind, key)) {
                return;
            }
        } else {
            expectComma();
            sink.ops().op(kind, key, scalar("a string or an integer to write"));
        }
        sawCondition |= OpKind.isConditional(kind);
        if (cursor.takeComma(']')) {
            readAttributes(kind);
            if (cursor.takeComma(']')) {
                throw cursor.unexpected("no fifth member of an operation");
            }
        }
    }

    /**
     * Reads the value of an inspected or deleted row, which may be missing; returns false at the end of the operation.
     */
    private boolean readRelational(byte kind, long key) throws IOException {
        boolean hasMore = cursor.takeComma(']');
        if (!hasMore || cursor.takeNull()) {
            sink.ops().op(kind, key, 0);
            return hasMore;
        }
        if (OpKind.withValue(kind) < 0) {
            throw cursor.unexpected("null, since nothing is left of a row that is deleted");
        }
        sink.ops().op((byte) OpKind.withValue(kind), key, scalar("a row as an object, a scalar, or null"));
        return true;
    }

    /** Reads {@code "c1 >= ?",[5],[["r","t/2",{"c1":5}]],{"relation":"t"}]}; optional parts may be omitted. */
    private void readPredicate() throws IOException {
        sawPredicate = true;
        int op = sink.ops().nextOp();
        sink.ops().op(OpKind.PREDICATE, HistorySlice.NONE, 0);
        if (cursor.peek() != '"') {
            throw cursor.unexpected("a condition as a string");
        }
        cursor.readString();
        sink.ops().opText(HistoryColumn.PREDICATE, cursor.text(), cursor.textFrom(), cursor.textLength());
        if (!cursor.takeComma(']')) {
            return;
        }
        readParams();
        if (!cursor.takeComma(']')) {
            return;
        }
        if (!cursor.takeNull()) {
            cursor.expect('[', "an array of the rows read, or null");
            if (!cursor.take(']')) {
                do {
                    readOp();
                } while (cursor.takeComma(']'));
            }
            sink.ops().setOpNumber(HistoryColumn.ROWS, op, sink.ops().nextOp() - op - 1L);
        }
        if (cursor.takeComma(']')) {
            readPredicateAttributes(op);
            if (cursor.takeComma(']')) {
                throw cursor.unexpected("no sixth member of a predicate read");
            }
        }
    }

    private void readParams() throws IOException {
        if (cursor.takeNull()) {
            return;
        }
        if (cursor.peek() == '"') { // a text that is not a canonical array
            cursor.readString();
            sink.ops().opText(HistoryColumn.PARAMS, cursor.text(), cursor.textFrom(), cursor.textLength());
            return;
        }
        if (cursor.peek() != '[') {
            throw cursor.unexpected("an array of parameters, or null");
        }
        Utf8 params = canonicalJson.read(cursor);
        sink.ops().opText(HistoryColumn.PARAMS, params.bytes, 0, params.length);
    }

    private void readPredicateAttributes(int op) throws IOException {
        cursor.expect('{', "an object with relation, read_ts, limit or order");
        if (cursor.take('}')) {
            return;
        }
        byte kind = OpKind.PREDICATE;
        long key = HistorySlice.NONE;
        long value = 0;
        do {
            long packed = cursor.readName();
            String name = cursor.textString();
            int attribute = attributeOf(packed);
            if (cursor.takeNull()) {
                continue;
            }
            if (name.equals(RELATION)) {
                key = key();
            } else if (name.equals(VALUE)) {
                kind = OpKind.PREDICATE_ANSWER;
                value = answer();
            } else if (name.equals(READ_TS)) {
                sink.ops().setOpNumber(HistoryColumn.READ_TS, op, attribute(READ_TS));
            } else if (name.equals(LIMIT)) {
                sink.ops().setOpNumber(HistoryColumn.LIMIT, op, attribute(LIMIT));
            } else if (name.equals(ORDER)) {
                if (cursor.peek() != '"') {
                    throw cursor.unexpected("a column as order, such as \"c1 DESC\"");
                }
                cursor.readString();
                sink.ops().setOpText(HistoryColumn.ORDER, op, cursor.text(), cursor.textFrom(), cursor.textLength());
            } else if (attribute >= 0) {
                HistoryColumn column = ATTRIBUTES.get(attribute);
                sink.ops().setOpNumber(column, op, attribute(requireNonNull(column.shortName())));
            } else {
                throw BadRowException.of("unknown attribute of a predicate read")
                        .with(
                                "name=%s expected=%s|%s|%s|%s|%s|%s %s",
                                name, RELATION, READ_TS, VALUE, LIMIT, ORDER, EXPECTED_ATTRIBUTES, cursor.location());
            }
        } while (cursor.takeComma('}'));
        sink.ops().setOp(op, kind, key, value);
    }

    /** Reads the aggregate of the rows; a number is interpreted as text if rows are text. */
    private long answer() throws IOException {
        if (cursor.isNumberNext() && sink.valuesAreStrings()) {
            long start = cursor.offset();
            cursor.skipValue();
            Utf8 number = new Utf8();
            cursor.copyCompact(start, number);
            return sink.value(number.bytes, 0, number.length);
        }
        return scalar("a string or an integer as value");
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
        throw BadRowException.of("unknown operation kind")
                .with("kind=%s expected=%s %s", cursor.textString(), OpKind.expected(), cursor.location());
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
            return sink.keys().number(cursor);
        }
        if (cursor.isTruthValueNext()) {
            return sink.keys().plain(cursor);
        }
        if (cursor.peek() != '"') {
            throw cursor.unexpected("a string or an integer as key");
        }
        cursor.readString();
        return sink.key(cursor.text(), cursor.textFrom(), cursor.textLength());
    }

    private long scalar(String expected) throws IOException {
        if (cursor.isNumberNext()) {
            return sink.values().number(cursor);
        }
        if (cursor.isTruthValueNext()) {
            return sink.values().plain(cursor);
        }
        if (cursor.peek() == '{') {
            Utf8 row = canonicalJson.read(cursor);
            return sink.value(row.bytes, 0, row.length);
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

    private void readAttributes(byte kind) throws IOException {
        boolean isConditional = OpKind.isConditional(kind);
        if (cursor.peek() != '{') {
            throw cursor.unexpected(
                    isConditional
                            ? "an object with done, params, version or writer"
                            : "an object with version or writer");
        }
        cursor.expect('{');
        if (cursor.take('}')) {
            return;
        }
        int seen = 0;
        do {
            int attribute = attributeOf(cursor.readName());
            if (attribute < 0 && kind == OpKind.INCREMENT && cursor.textString().equals(RESULT)) {
                int bit = 1 << ATTRIBUTES.size();
                long result = (seen & bit) == 0 ? attribute(RESULT) : HistorySlice.NONE;
                if (result != HistorySlice.NONE) {
                    sink.ops().opNumber(HistoryColumn.RESULT, result);
                }
                if ((seen & bit) == 0) {
                    seen |= bit;
                    continue;
                }
            }
            if (attribute < 0 && OpKind.mayHaveOutcome(kind)) {
                String name = cursor.textString();
                int bit = 1 << ATTRIBUTES.size() + (name.equals(DONE) ? 1 : 0);
                if ((seen & bit) == 0 && readConditionAttribute(name, isConditional)) {
                    seen |= bit;
                    continue;
                }
            }
            if (attribute < 0 || (seen >>> attribute & 1) != 0) {
                String expected = EXPECTED_ATTRIBUTES
                        + (isConditional ? "|" + PARAMS + "|" + DONE : "")
                        + (kind == OpKind.INCREMENT ? "|" + RESULT : "");
                throw BadRowException.of("unknown or repeated attribute of an operation")
                        .with("name=%s expected=%s %s", cursor.textString(), expected, cursor.location());
            }
            seen |= 1 << attribute;
            HistoryColumn column = ATTRIBUTES.get(attribute);
            long number = attribute(requireNonNull(column.shortName()));
            if (number != HistorySlice.NONE) {
                sink.ops().opNumber(column, number);
            }
        } while (cursor.takeComma('}'));
    }

    /** Reads the parameters or the outcome of a conditional write; returns false if the name is neither. */
    private boolean readConditionAttribute(String name, boolean mayHaveParams) throws IOException {
        if (mayHaveParams && name.equals(PARAMS)) {
            readParams();
            return true;
        }
        if (!name.equals(DONE)) {
            return false;
        }
        if (!cursor.takeNull()) {
            if (!cursor.isTruthValueNext()) {
                throw cursor.unexpected("true, false or null as done");
            }
            sink.ops().opNumber(HistoryColumn.DONE, cursor.peek() == 't' ? 1 : 0);
            sawCondition = true;
            cursor.skipValue();
        }
        return true;
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
