package io.nightjar.formats.jepsen;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SetsFields;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.JsonCursor;
import io.nightjar.formats.text.RowSliceBuilder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads the value of an operation, a vector such as {@code [[:append :x 1] [:r :y [3 7]]]}, into a slice. */
final class MicroOps {

    private static final int OTHER_WORD = -1;
    private static final long READ = JsonCursor.packed("r");
    private static final long PREDICATE = JsonCursor.packed("rp");
    private static final long[] WORDS = {
        READ,
        JsonCursor.packed("append"),
        PREDICATE,
        JsonCursor.packed("delete"),
        JsonCursor.packed("w"),
        JsonCursor.packed("insert"),
        JsonCursor.packed("add"),
        JsonCursor.packed("inc")
    };
    private static final byte[] KINDS = {
        OpKind.READ,
        OpKind.APPEND,
        OpKind.PREDICATE,
        OpKind.DELETE,
        OpKind.WRITE,
        OpKind.WRITE,
        OpKind.ADD,
        OpKind.INCREMENT
    };
    private static final long INIT = JsonCursor.packed("init");
    private static final long MODULO = JsonCursor.packed("mod");
    private static final long EQUALS = JsonCursor.packed("=");
    private static final long TRUE = JsonCursor.packed("true");

    /** Condition on values that are not rows; the remainder is never negative. */
    private static final String REMAINDER = "((value % ?) + ?) % ? = ?";

    private final @Nullable RowSliceBuilder sink; // null if operations are only compared
    private final @Nullable JepsenWorkload workload;

    private EdnScanner scanner;
    private EdnForm form;
    private int at;
    private long number;
    private boolean isLong;

    MicroOps(@Nullable RowSliceBuilder sink, @Nullable JepsenWorkload workload) {
        this.sink = sink;
        this.workload = workload;
    }

    /**
     * Adds the operations of a transaction. Omits the reads of an unknown transaction, whose results are unknown, and
     * the reads of an aborted one without a result.
     */
    void read(OperationMap operation, byte status) {
        begin(operation);
        if (isInit(operation)) {
            readInit();
            return;
        }
        byte end = open("a transaction, which is a vector of operations");
        while (!takeEnd(end)) {
            readOp(status);
        }
    }

    private boolean isInit(OperationMap operation) {
        if (scanner.bytes[at] != '{' || !operation.hasFunction()) {
            return false;
        }
        form.read(operation.functionFrom(), scanner.skipForm(operation.functionFrom()));
        return form.packed() == INIT;
    }

    /** Reads {@code {:x 0, :y 1}}: keys that exist from the start, their versions numbered 0. */
    private void readInit() {
        at++;
        while (!takeEnd((byte) '}')) {
            int from = at;
            long key = readKey();
            blank();
            long value = readValue();
            if (isNil()) {
                throw withoutValue(from);
            }
            sink().ops().op(OpKind.WRITE, key, value);
            sink().ops().version(0);
        }
    }

    /** Returns whether the value is a vector of vectors that begin with a word for an operation. */
    boolean isTransaction(OperationMap operation) {
        if (!operation.hasValue()) {
            return false;
        }
        begin(operation);
        if (!isOpening()) {
            return false;
        }
        byte end = open("");
        if (takeEnd(end)) {
            return true;
        }
        if (!isOpening()) {
            return false;
        }
        open("");
        byte first = scanner.bytes[at];
        boolean isWord = first == ':' || first == '"' || Character.isLetter(first);
        return isWord && kindOf(readWord()) != OTHER_WORD;
    }

    /** Returns whether two operations are equal except for the results of their reads. */
    static boolean agree(OperationMap left, OperationMap right) {
        if (!left.hasValue() || !right.hasValue()) {
            return false;
        }
        MicroOps a = new MicroOps(null, null);
        MicroOps b = new MicroOps(null, null);
        a.begin(left);
        b.begin(right);
        if (!a.isOpening() || !b.isOpening()) {
            return false;
        }
        byte endOfA = a.open("");
        byte endOfB = b.open("");
        while (true) {
            boolean isDone = a.takeEnd(endOfA);
            if (isDone != b.takeEnd(endOfB)) {
                return false;
            }
            if (isDone) {
                return true;
            }
            if (!a.agreesOnOp(b)) {
                return false;
            }
        }
    }

    private boolean agreesOnOp(MicroOps other) {
        if (!isOpening() || !other.isOpening()) {
            return false;
        }
        byte end = open("");
        byte endOfOther = other.open("");
        boolean isRead = false;
        for (int index = 0; true; index++) {
            boolean isDone = takeEnd(end);
            boolean isOtherDone = other.takeEnd(endOfOther);
            if (isDone && isOtherDone) {
                return true;
            }
            boolean mayDiffer = isRead && index >= 2;
            if (isDone != isOtherDone) {
                return mayDiffer && (isDone || skipRest(end)) && (isOtherDone || other.skipRest(endOfOther));
            }
            int from = at;
            int fromOfOther = other.at;
            at = scanner.skipForm(at);
            other.at = other.scanner.skipForm(other.at);
            boolean isSame = Arrays.equals(scanner.bytes, from, at, other.scanner.bytes, fromOfOther, other.at);
            if (!isSame && !mayDiffer) {
                return false;
            }
            if (index == 0) {
                form.read(from, at);
                isRead = form.packed() == READ || form.packed() == PREDICATE;
            }
        }
    }

    private boolean skipRest(byte end) {
        do {
            at = scanner.skipForm(at);
        } while (!takeEnd(end));
        return true;
    }

    // ---------------------------------------------------------------- one operation

    private void readOp(byte status) {
        byte end = open("an operation, which is a vector");
        if (takesEndNext()) {
            throw scanner.unexpected(at, "a word for an operation");
        }
        int wordFrom = at;
        int kind = kindOf(readWord());
        if (kind == OTHER_WORD) {
            throw unknownWord(wordFrom, at);
        }
        blank();
        if (takesEndNext()) {
            throw scanner.unexpected(at, "a key");
        }
        if (kind == OpKind.PREDICATE) {
            readPredicate(end, status);
            if (!takeEnd(end)) {
                throw scanner.unexpected(at, "'" + (char) end + "', since a predicate read has a predicate and a map");
            }
            return;
        }
        int keyFrom = at;
        long key = readKey();
        if (kind == OpKind.READ) {
            readRead(key, end, status);
        } else if (kind == OpKind.DELETE) {
            sink().ops().op(OpKind.DELETE, key, 0);
            if (!takesEnd(end)) {
                at = scanner.skipForm(at); // the value of a deletion has no meaning
            }
        } else {
            readWrite((byte) kind, key, keyFrom, end);
        }
        if (!takeEnd(end)) {
            throw scanner.unexpected(at, "'" + (char) end + "', since an operation has a word, a key and a value");
        }
    }

    /** Reads {@code [:mod 2 1] {5 3}]}; the result is ignored if the transaction did not commit. */
    private void readPredicate(byte end, byte status) {
        int from = at;
        String condition;
        String params;
        if (isOpening()) {
            byte endOfPredicate = open("");
            long word = readWord();
            blank();
            long first = readNumber();
            if (word == EQUALS) {
                condition = "value = ?";
                params = "[" + first + "]";
            } else if (word == MODULO) {
                blank();
                condition = REMAINDER;
                params = "[" + first + "," + first + "," + first + "," + readNumber() + "]";
            } else {
                throw unknownPredicate(from);
            }
            if (!takeEnd(endOfPredicate)) {
                throw unknownPredicate(from);
            }
        } else {
            if (readWord() != TRUE) {
                throw unknownPredicate(from);
            }
            condition = "TRUE";
            params = null;
        }
        blank();
        boolean isKept = status == TxnStatus.COMMITTED;
        int op = isKept ? sink().ops().nextOp() : 0;
        if (isKept) {
            sink().ops().op(OpKind.PREDICATE, HistorySlice.NONE, 0);
            sink().ops().opText(HistoryColumn.PREDICATE, condition);
            if (params != null) {
                sink().ops().opText(HistoryColumn.PARAMS, params);
            }
        }
        if (takesEnd(end)) {
            return; // its rows are unknown
        }
        if (scanner.bytes[at] != '{') {
            int result = at;
            at = scanner.skipForm(at);
            if (form.read(result, at) != EdnForm.Kind.NIL) {
                throw scanner.unexpected(result, "a map of keys to values, or nil");
            }
            return;
        }
        at++;
        int rows = 0;
        while (!takeEnd((byte) '}')) {
            long key = readKey();
            blank();
            long value = readValue();
            if (isKept) {
                sink().ops().op(isNil() ? OpKind.READ_NOTHING : OpKind.READ, key, isNil() ? 0 : value);
            }
            rows++;
        }
        if (isKept) {
            sink().ops().setOpNumber(HistoryColumn.ROWS, op, rows);
        }
    }

    private long readNumber() {
        if (readSmallLong()) {
            return number;
        }
        int from = at;
        at = scanner.skipForm(at);
        if (form.read(from, at) != EdnForm.Kind.LONG) {
            throw scanner.unexpected(from, "an integer");
        }
        return form.number;
    }

    private BadRowException unknownPredicate(int from) {
        return BadRowException.of("unknown predicate")
                .with(
                        "predicate=%s expected=:true|[:= v]|[:mod m r] %s",
                        scanner.text(from, scanner.skipForm(from)), scanner.location(from));
    }

    private void readWrite(byte kind, long key, int keyFrom, byte end) {
        workload().sawWrite(kind);
        if (takesEnd(end)) {
            throw withoutValue(keyFrom);
        }
        byte first = scanner.bytes[at];
        if (first == '[' || first == '(' || first == '{' || (first == '#' && scanner.bytes[at + 1] == '{')) {
            throw BadRowException.of("written value is a collection")
                    .with("value=%s %s", scanner.text(at, scanner.skipForm(at)), scanner.location(at))
                    .advise("write one element at a time");
        }
        long value = readValue();
        if (isNil()) {
            throw withoutValue(keyFrom);
        }
        sink().ops().op(kind, key, value);
    }

    private BadRowException withoutValue(int keyFrom) {
        return BadRowException.of("write without a value")
                .with("key=%s %s", scanner.text(keyFrom, scanner.skipForm(keyFrom)), scanner.location(keyFrom));
    }

    private void readRead(long key, byte end, byte status) {
        boolean isKept = status != TxnStatus.UNKNOWN;
        if (takesEnd(end)) {
            addNothing(key, status);
            return;
        }
        byte first = scanner.bytes[at];
        if (first == '[' || first == '(') {
            workload().sawListRead();
            readList(at + 1, first == '[' ? (byte) ']' : (byte) ')');
            if (isKept) {
                sink().ops().listRead(key);
            }
        } else if (first == '#' && scanner.bytes[at + 1] == '{') {
            workload().sawListRead();
            readList(at + 2, (byte) '}');
            if (isKept) {
                sink().ops().listRead(key);
            }
        } else {
            long value = readValue();
            if (isNil()) {
                addNothing(key, status);
                return;
            }
            workload().sawScalarRead();
            if (isKept) {
                sink().ops().op(OpKind.READ, key, value);
            }
        }
    }

    private void addNothing(long key, byte status) {
        if (status == TxnStatus.COMMITTED) {
            sink().ops().op(OpKind.READ_NOTHING, key, 0);
        }
    }

    private void readList(int first, byte end) {
        at = first;
        sink().ops().beginList();
        while (!takeEnd(end)) {
            int from = at;
            long element = readValue();
            if (isNil()) {
                throw BadRowException.of("list with a nil element").with(scanner.location(from));
            }
            sink().ops().element(element);
        }
    }

    // ---------------------------------------------------------------- words, keys, values

    private long readWord() {
        byte[] bytes = scanner.bytes;
        if (bytes[at] == ':' && EdnScanner.isDelimiter(bytes[at + 2])) {
            at += 2; // :r, :w and other words of one letter
            return bytes[at - 1];
        }
        int from = at;
        at = scanner.skipForm(at);
        form.read(from, at);
        return form.packed();
    }

    private static int kindOf(long word) {
        int i = 0;
        while (i < WORDS.length && WORDS[i] != word) {
            i++;
        }
        return i < WORDS.length ? KINDS[i] : OTHER_WORD;
    }

    private BadRowException unknownWord(int from, int to) {
        form.read(from, to);
        String word = scanner.text(from, to);
        return BadRowException.of("unknown operation")
                .with("f=%s expected=r|w|append|add|inc|rp|insert|delete %s", word, scanner.location(from));
    }

    private long readKey() {
        if (readSmallLong()) {
            return sink().key(number);
        }
        int from = at;
        at = scanner.skipForm(at);
        return switch (form.read(from, at)) {
            case LONG -> sink().key(form.number);
            case JSON -> sink().keys().ofJson(form.text, form.textFrom, form.textLength);
            case NAME, NIL, OTHER -> sink().key(form.text, form.textFrom, form.textLength);
        };
    }

    /** Reads a value, which may be {@link #isNil}. */
    private long readValue() {
        if (readSmallLong()) {
            isLong = true;
            return sink().value(number);
        }
        int from = at;
        at = scanner.skipForm(at);
        EdnForm.Kind kind = form.read(from, at);
        isLong = kind == EdnForm.Kind.LONG;
        return switch (kind) {
            case LONG -> sink().value(form.number);
            case NIL -> 0;
            case JSON -> sink().values().ofJson(form.text, form.textFrom, form.textLength);
            case NAME, OTHER -> sink().value(form.text, form.textFrom, form.textLength);
        };
    }

    private boolean isNil() {
        return !isLong && form.kind == EdnForm.Kind.NIL;
    }

    /** Reads a small integer, the form of nearly every key and element. Does not consume any other form. */
    private boolean readSmallLong() {
        byte[] bytes = scanner.bytes;
        int digitAt = at;
        int digit = bytes[digitAt] - '0';
        if (digit <= 0 || digit > 9) {
            return false;
        }
        long value = 0;
        while (digit >= 0 && digit <= 9) {
            value = value * 10 + digit;
            digit = bytes[++digitAt] - '0';
        }
        if (digitAt - at > 18 || !EdnScanner.isDelimiter(bytes[digitAt])) {
            return false;
        }
        at = digitAt;
        number = value;
        return true;
    }

    // ---------------------------------------------------------------- brackets

    private RowSliceBuilder sink() {
        return requireNonNull(sink);
    }

    private JepsenWorkload workload() {
        return requireNonNull(workload);
    }

    @SetsFields
    private void begin(OperationMap operation) {
        scanner = operation.scanner;
        form = operation.form;
        at = operation.valueFrom();
    }

    private boolean isOpening() {
        return scanner.bytes[at] == '[' || scanner.bytes[at] == '(';
    }

    /** Consumes an opening bracket; returns the matching closing one. */
    private byte open(String expected) {
        if (!isOpening()) {
            throw scanner.unexpected(at, expected);
        }
        byte end = scanner.bytes[at] == '[' ? (byte) ']' : (byte) ')';
        at++;
        blank();
        return end;
    }

    private void blank() {
        byte b = scanner.bytes[at];
        if (b == ' ' || b == ',') {
            at++;
            b = scanner.bytes[at];
        }
        if (b <= ' ' || b == ',' || b == ';' || b == '#') {
            at = scanner.skipBlank(at);
        }
    }

    private boolean takesEnd(byte end) {
        blank();
        return scanner.bytes[at] == end;
    }

    private boolean takesEndNext() {
        byte b = scanner.bytes[at];
        return b == ']' || b == ')' || b == '}';
    }

    /** Skips blanks, and the closing bracket if it follows. */
    private boolean takeEnd(byte end) {
        if (!takesEnd(end)) {
            return false;
        }
        at++;
        return true;
    }
}
