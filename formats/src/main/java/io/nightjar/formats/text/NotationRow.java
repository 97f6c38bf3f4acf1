package io.nightjar.formats.text;

import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.TxnStatus;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Parser of a line of the notation: {@code s1 T1 [10,12]: w(x,1) r(y,_)}. */
final class NotationRow implements LineSliceReader.Row {

    private static final byte NO_MARK = -1;
    private static final String INITIAL_STATE = "_";

    private final ExtraMemberCollector extra = new ExtraMemberCollector();
    private final CanonicalJson canonicalJson = new CanonicalJson();
    private boolean sawPredicate;
    private boolean sawCondition;

    private boolean hasTxn;
    private boolean hasSeq;
    private long txn;
    private long session;
    private long seq;
    private byte mark;
    private long start;
    private long commit;
    private long invoke;
    private long complete;

    @Override
    public @Nullable String doubt(byte[] bytes, int from, int to) {
        return UndecidedReasonLine.ofNotation(bytes, from, to);
    }

    @Override
    public boolean isPassedOver(JsonCursor cursor) throws IOException {
        return isAtLineEnd(cursor);
    }

    @Override
    public void read(JsonCursor cursor, RowSliceBuilder sink) throws IOException {
        hasTxn = false;
        hasSeq = false;
        mark = NO_MARK;
        start = HistorySlice.NONE;
        commit = HistorySlice.NONE;
        invoke = HistorySlice.NONE;
        complete = HistorySlice.NONE;
        extra.clear();
        sawPredicate = false;
        sawCondition = false;
        readHead(cursor);
        readMark(cursor);
        boolean hasExtra = false;
        while (!isAtLineEnd(cursor)) {
            int next = cursor.peek();
            if (hasExtra) {
                throw cursor.unexpected("the end of the line or a comment");
            } else if (next == '{') {
                extra.takeObject(cursor);
                hasExtra = true;
            } else if (!readMark(cursor)) {
                readOp(cursor, sink);
            }
        }
        InputError fault = sawPredicate ? sink.ops().predicateFault() : null;
        if (fault == null && sawCondition) {
            fault = sink.ops().conditionFault(mark == NO_MARK ? TxnStatus.COMMITTED : mark);
        }
        if (fault != null) {
            throw new BadRowException(fault);
        }
    }

    @Override
    public void addTo(RowSliceBuilder sink) {
        SliceBuilder slice =
                sink.beginTxn(hasTxn ? txn : sink.position(), session, hasSeq ? seq : sink.positionIn(session));
        slice.status(mark == NO_MARK ? TxnStatus.COMMITTED : mark)
                .timestamps(start, commit)
                .clientTimes(invoke, complete);
        sink.endRow(extra.build());
    }

    private static boolean isAtLineEnd(JsonCursor cursor) throws IOException {
        return cursor.peek() == '#' || cursor.isAtEnd();
    }

    // ---------------------------------------------------------------- before the colon

    private void readHead(JsonCursor cursor) throws IOException {
        if (!cursor.take('s') || !cursor.isNumberNext()) {
            throw cursor.unexpected("a session such as s1");
        }
        session = cursor.readLong();
        hasSeq = cursor.take('/');
        if (hasSeq) {
            seq = number(cursor, "a position in the session such as s1/0");
        }
        boolean hasTimestamps = false;
        boolean hasClientTimes = false;
        while (!cursor.take(':')) {
            if (!hasTxn && cursor.take('T')) {
                hasTxn = true;
                txn = number(cursor, "a transaction such as T1");
            } else if (!hasTimestamps && cursor.take('[')) {
                hasTimestamps = true;
                start = time(cursor, "start_ts");
                cursor.expect(',');
                commit = time(cursor, "commit_ts");
                cursor.expect(']');
            } else if (!hasClientTimes && cursor.take('<')) {
                hasClientTimes = true;
                invoke = time(cursor, "invoke_ns");
                cursor.expect(',');
                complete = time(cursor, "complete_ns");
                cursor.expect('>');
            } else if (!readMark(cursor)) {
                throw cursor.unexpected("T1, !, ?, [start,commit], <invoke,complete>, each at most once, or ':'");
            }
        }
    }

    private boolean readMark(JsonCursor cursor) throws IOException {
        int next = cursor.peek();
        if (next != '!' && next != '?') {
            return false;
        }
        if (mark != NO_MARK) {
            throw cursor.unexpected("one mark only");
        }
        mark = next == '!' ? TxnStatus.ABORTED : TxnStatus.UNKNOWN;
        return cursor.take((char) next);
    }

    private static long number(JsonCursor cursor, String expected) throws IOException {
        if (!cursor.isNumberNext()) {
            throw cursor.unexpected(expected);
        }
        return cursor.readLong();
    }

    private static long time(JsonCursor cursor, String name) throws IOException {
        if (cursor.take('_')) {
            return HistorySlice.NONE;
        }
        return given(number(cursor, "an integer or _ as " + name), name);
    }

    private static long given(long number, String name) {
        if (number == HistorySlice.NONE) {
            throw JsonLinesRow.reserved(name);
        }
        return number;
    }

    // ---------------------------------------------------------------- operations

    private void readOp(JsonCursor cursor, RowSliceBuilder sink) throws IOException {
        byte kind = kind(cursor);
        if (OpKind.isPredicate(kind)) {
            readPredicate(cursor, sink);
            readAttributes(cursor, sink);
            return;
        }
        cursor.expect('(');
        long key = key(cursor, sink);
        if (OpKind.isRelational(kind)) {
            readRelational(cursor, sink, kind, key);
            readOutcome(cursor, sink, kind);
            readAttributes(cursor, sink);
            return;
        }
        cursor.expect(',');
        if (OpKind.isConditional(kind)) {
            readConditional(cursor, sink, kind, key);
            readAttributes(cursor, sink);
            return;
        }
        if (kind != OpKind.READ) {
            sink.ops().op(kind, key, written(cursor, sink));
        } else if (cursor.take('[')) {
            readList(cursor, sink);
            sink.ops().listRead(key);
        } else {
            readScalar(cursor, sink, key);
        }
        if (!cursor.take(')')) {
            throw cursor.unexpected("')'; words that do not begin with a letter need quotes");
        }
        readOutcome(cursor, sink, kind);
        readAttributes(cursor, sink);
    }

    /** Reads {@code [t]("c1 <= ?",[10],2)=7^812~2"c1 DESC"}; all parts except the condition are optional. */
    private void readPredicate(JsonCursor cursor, RowSliceBuilder sink) throws IOException {
        sawPredicate = true;
        int op = sink.ops().nextOp();
        sink.ops().op(OpKind.PREDICATE, HistorySlice.NONE, 0);
        if (cursor.take('[')) {
            sink.ops().setOp(op, OpKind.PREDICATE, key(cursor, sink), 0);
            cursor.expect(']');
        }
        cursor.expect('(');
        readText(cursor, "a condition in quotes");
        sink.ops().opText(HistoryColumn.PREDICATE, cursor.text(), cursor.textFrom(), cursor.textLength());
        if (cursor.takeComma(')')) {
            readParams(cursor, sink);
            if (cursor.takeComma(')')) {
                if (!cursor.take('_')) {
                    sink.ops().opNumber(HistoryColumn.ROWS, number(cursor, "how many operations are its rows, or _"));
                }
                if (!cursor.take(')')) {
                    throw cursor.unexpected("')'");
                }
            }
        }
        if (cursor.take('=') && !cursor.take('_')) { // =_ is a NULL result, such as that of sum() over no rows
            long key = sink.ops().keyOf(op);
            sink.ops().setOp(op, OpKind.PREDICATE_ANSWER, key, written(cursor, sink));
        }
        if (cursor.take('^')) {
            sink.ops().opNumber(HistoryColumn.READ_TS, given(number(cursor, "a snapshot such as ^812"), "read_ts"));
        }
        if (cursor.take('~')) {
            if (!cursor.take('_')) {
                long limit = number(cursor, "a limit such as ~3, or ~_ without one");
                sink.ops().opNumber(HistoryColumn.LIMIT, given(limit, "limit"));
            }
            if (cursor.peek() == '"') {
                readText(cursor, "a column such as \"c1 DESC\"");
                sink.ops().opText(HistoryColumn.ORDER, cursor.text(), cursor.textFrom(), cursor.textLength());
            }
        }
    }

    /** Reads {@code 1,2)} of a compare-and-set, {@code 2)} of an insertion if absent, and the outcome. */
    private void readConditional(JsonCursor cursor, RowSliceBuilder sink, byte kind, long key) throws IOException {
        String params = null;
        if (kind == OpKind.CAS) {
            params = "[" + oldValue(cursor, sink) + "]";
            cursor.expect(',');
        }
        sink.ops().op(kind, key, written(cursor, sink));
        cursor.expect(')');
        if (params != null) {
            sink.ops().opText(HistoryColumn.PARAMS, params);
        }
        readOutcome(cursor, sink, kind);
    }

    /** Reads {@code =true}, or {@code =7} of an increment, which is optional. */
    private void readOutcome(JsonCursor cursor, RowSliceBuilder sink, byte kind) throws IOException {
        if (kind == OpKind.INCREMENT && cursor.take('=')) {
            sink.ops().opNumber(HistoryColumn.RESULT, number(cursor, "the result of the increment, an integer"));
            return;
        }
        sawCondition |= OpKind.isConditional(kind);
        if (OpKind.mayHaveOutcome(kind) && cursor.take('=')) {
            sawCondition = true;
            String location = cursor.location();
            cursor.readWord();
            String word = cursor.textString();
            if (!word.equals("true") && !word.equals("false")) {
                throw BadRowException.of("unknown outcome of a conditional write")
                        .with("outcome=%s expected=true|false %s", word, location);
            }
            sink.ops().opNumber(HistoryColumn.DONE, word.equals("true") ? 1 : 0);
        }
    }

    /** Reads the old value of a compare-and-set, or {@code _}; returns it as JSON. */
    private static String oldValue(JsonCursor cursor, RowSliceBuilder sink) throws IOException {
        if (cursor.isNumberNext()) {
            long number = cursor.readLong();
            sink.value(number);
            return Long.toString(number);
        }
        if (cursor.peek() == '_') {
            cursor.readWord();
            String word = cursor.textString();
            return word.equals(INITIAL_STATE) ? "null" : JsonText.quoted(word);
        }
        readName(cursor, "the old value: an integer, a word or a string in quotes, or _");
        sink.value(cursor.text(), cursor.textFrom(), cursor.textLength());
        String text = cursor.textString();
        return text.startsWith("{") ? text : JsonText.quoted(text);
    }

    private void readParams(JsonCursor cursor, RowSliceBuilder sink) throws IOException {
        if (cursor.take('_')) {
            return;
        }
        if (cursor.peek() == '[') {
            Utf8 params = canonicalJson.read(cursor);
            sink.ops().opText(HistoryColumn.PARAMS, params.bytes, 0, params.length);
            return;
        }
        readText(cursor, "an array of parameters, a string, or _");
        sink.ops().opText(HistoryColumn.PARAMS, cursor.text(), cursor.textFrom(), cursor.textLength());
    }

    private static void readRelational(JsonCursor cursor, RowSliceBuilder sink, byte kind, long key)
            throws IOException {
        if (!cursor.takeComma(')')) {
            sink.ops().op(kind, key, 0);
            return;
        }
        if (OpKind.withValue(kind) < 0) {
            throw cursor.unexpected("')', since nothing is left of a row that is deleted");
        }
        sink.ops().op((byte) OpKind.withValue(kind), key, written(cursor, sink));
        cursor.expect(')');
    }

    private static void readText(JsonCursor cursor, String expected) throws IOException {
        int next = cursor.peek();
        if (next == '\'') {
            cursor.readSingleQuoted();
        } else if (next == '"') {
            cursor.readString();
        } else {
            throw cursor.unexpected(expected);
        }
    }

    private static void readAttributes(JsonCursor cursor, RowSliceBuilder sink) throws IOException {
        if (cursor.take('@')) {
            sink.ops().version(given(number(cursor, "a version such as @2"), "version"));
        }
        if (cursor.take('<')) {
            cursor.expect('-');
            cursor.expect('T');
            sink.ops().writerTxn(given(number(cursor, "a transaction such as <-T1"), "writer"));
        }
    }

    private static byte kind(JsonCursor cursor) throws IOException {
        String location = cursor.location();
        cursor.readWord();
        if (cursor.textLength() == 0) {
            throw cursor.unexpected("an operation such as w(x,1)");
        }
        String word = cursor.textString();
        if (word.equals("r")) {
            return OpKind.READ;
        }
        int code = OpKind.code(word);
        if (code < 0) {
            throw BadRowException.of("unknown operation kind")
                    .with("kind=%s expected=%s %s", word, OpKind.expected(), location);
        }
        return (byte) code;
    }

    private static long key(JsonCursor cursor, RowSliceBuilder sink) throws IOException {
        if (cursor.isNumberNext()) {
            return sink.keys().number(cursor);
        }
        if (cursor.take('=')) {
            return sink.keys().plain(cursor);
        }
        readName(cursor, "a key: a word, an integer or a string in quotes");
        return sink.key(cursor.text(), cursor.textFrom(), cursor.textLength());
    }

    private static long written(JsonCursor cursor, RowSliceBuilder sink) throws IOException {
        if (cursor.isNumberNext()) {
            return sink.values().number(cursor);
        }
        if (cursor.take('=')) { // =true, which without the sign is a word
            return sink.values().plain(cursor);
        }
        readName(cursor, "a value: an integer, a word or a string in quotes");
        return sink.value(cursor.text(), cursor.textFrom(), cursor.textLength());
    }

    private static void readScalar(JsonCursor cursor, RowSliceBuilder sink, long key) throws IOException {
        if (cursor.peek() == '_') {
            cursor.readWord();
            if (cursor.textLength() == INITIAL_STATE.length()) {
                sink.ops().op(OpKind.READ_NOTHING, key, 0);
                return;
            }
            long value = sink.value(cursor.text(), cursor.textFrom(), cursor.textLength());
            sink.ops().op(OpKind.READ, key, value);
            return;
        }
        sink.ops().op(OpKind.READ, key, written(cursor, sink));
    }

    private static void readList(JsonCursor cursor, RowSliceBuilder sink) throws IOException {
        sink.ops().beginList();
        if (!cursor.take(']')) {
            do {
                sink.ops().element(written(cursor, sink));
            } while (cursor.takeComma(']'));
        }
    }

    /** Reads a word or a quoted string into the cursor's text. */
    private static void readName(JsonCursor cursor, String expected) throws IOException {
        if (cursor.peek() == '"') {
            cursor.readString();
            return;
        }
        if (cursor.peek() == '\'') {
            cursor.readSingleQuoted();
            return;
        }
        String location = cursor.location();
        cursor.readWord();
        if (cursor.textLength() == 0) {
            throw cursor.unexpected(expected);
        }
        if (!isBareWord(cursor.text(), cursor.textFrom(), cursor.textLength())) {
            throw BadRowException.of("word is reserved")
                    .with("word=%s expected=%s %s", cursor.textString(), expected, location);
        }
    }

    /**
     * Returns whether a string can be written without quotes: it is a word, and does not resemble the initial state.
     */
    static boolean isBareWord(byte[] utf8, int offset, int length) {
        for (int i = 0; i < length; i++) {
            if (!JsonCursor.isWordByte(utf8[offset + i], i > 0)) {
                return false;
            }
        }
        boolean isInitialState = length == 1 && utf8[offset] == '_';
        boolean isNull = length == 4
                && utf8[offset] == 'n'
                && utf8[offset + 1] == 'u'
                && utf8[offset + 2] == 'l'
                && utf8[offset + 3] == 'l';
        return length > 0 && !isInitialState && !isNull;
    }
}
