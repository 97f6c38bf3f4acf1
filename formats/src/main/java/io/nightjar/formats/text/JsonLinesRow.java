package io.nightjar.formats.text;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.TxnStatus;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parser of a line of JSON Lines: a transaction as one JSON object. */
final class JsonLinesRow implements LineSliceReader.Row {

    static final long TXN = JsonCursor.packed("txn");
    static final long SESSION = JsonCursor.packed("session");
    static final long SEQ = JsonCursor.packed("seq");
    static final long STATUS = JsonCursor.packed("status");
    static final long OPS = JsonCursor.packed("ops");
    static final long EXTRA = JsonCursor.packed("extra");

    private static final int HAS_TXN = 1;
    private static final int HAS_SESSION = 1 << 1;
    private static final int HAS_SEQ = 1 << 2;
    private static final int HAS_STATUS = 1 << 3;
    private static final int HAS_OPS = 1 << 4;
    private static final int HAS_EXTRA = 1 << 5;
    private static final int FIRST_NUMBER = 1 << 6; // bits of the nullable numbers, in their order

    private static final List<HistoryColumn> NUMBERS = HistoryColumn.TXN_NUMBERS;
    private static final long[] NUMBER_NAMES = JsonCursor.packed(HistoryColumn.shortNames(NUMBERS));

    private final JsonOps ops = new JsonOps();
    private final ExtraMemberCollector extra = new ExtraMemberCollector();

    private int named; // members seen in this line
    private int given; // number of them that were not null
    private long txn;
    private long session;
    private long seq;
    private byte status;
    private final long[] numbers = new long[NUMBER_NAMES.length];

    @Override
    public @Nullable String doubt(byte[] bytes, int from, int to) {
        return UndecidedReasonLine.ofJson(bytes, from, to);
    }

    @Override
    public boolean isPassedOver(JsonCursor cursor) throws IOException {
        return cursor.isAtEnd();
    }

    @Override
    public void addTo(RowSliceBuilder sink) {
        SliceBuilder slice = sink.beginTxn(
                (given & HAS_TXN) != 0 ? txn : sink.position(),
                session,
                (given & HAS_SEQ) != 0 ? seq : sink.positionIn(session));
        slice.status(status);
        for (int i = 0; i < numbers.length; i++) {
            slice.txnNumber(NUMBERS.get(i), numbers[i]);
        }
        sink.endRow(extra.build());
    }

    @Override
    public void read(JsonCursor cursor, RowSliceBuilder sink) throws IOException {
        named = 0;
        given = 0;
        status = TxnStatus.COMMITTED;
        Arrays.fill(numbers, HistorySlice.NONE);
        extra.clear();
        cursor.expect('{');
        if (!cursor.take('}')) {
            do {
                readMember(cursor.readName(), cursor, sink);
            } while (cursor.takeComma('}'));
        }
        if (!cursor.isAtEnd()) {
            throw cursor.unexpected("nothing more after the transaction");
        }
        if ((given & HAS_SESSION) == 0) {
            throw BadRowException.of("session missing").with("every transaction needs one");
        }
        if ((named & HAS_OPS) == 0) {
            throw BadRowException.of("ops missing")
                    .with("every transaction needs them")
                    .advise("write [] for a transaction without operations");
        }
        ops.checkConditions(status);
    }

    private void readMember(long name, JsonCursor cursor, RowSliceBuilder sink) throws IOException {
        if (name == TXN) {
            txn = number(cursor, HAS_TXN, "txn");
        } else if (name == SESSION) {
            session = number(cursor, HAS_SESSION, "session");
        } else if (name == SEQ) {
            seq = number(cursor, HAS_SEQ, "seq");
        } else if (name == STATUS) {
            readStatus(cursor);
        } else if (name == OPS) {
            once(HAS_OPS, "ops");
            ops.read(cursor, sink);
        } else if (name == EXTRA) {
            readExtra(cursor);
        } else if (!readNumber(name, cursor)) {
            String other = cursor.textString();
            rejectColumnName(other);
            extra.take(cursor, other);
        }
    }

    /** Rejects start_ts for start, which would otherwise be kept in extra while the transaction lacks its timestamp. */
    private static void rejectColumnName(String name) {
        for (HistoryColumn column : HistoryColumn.OF_TXNS) {
            if (name.equals(column.columnName())) {
                throw BadRowException.of("unknown member")
                        .with("name=" + name)
                        .advise("JSON Lines names it " + column.shortName());
            }
        }
    }

    /** Reads the member if it is a nullable number; returns whether it is. */
    private boolean readNumber(long name, JsonCursor cursor) throws IOException {
        for (int i = 0; i < numbers.length; i++) {
            if (name == NUMBER_NAMES[i]) {
                numbers[i] = time(
                        cursor, FIRST_NUMBER << i, requireNonNull(NUMBERS.get(i).shortName()));
                return true;
            }
        }
        return false;
    }

    private void once(int member, String name) {
        if ((named & member) != 0) {
            throw BadRowException.of("name twice in one object").with("name=" + name);
        }
        named |= member;
    }

    private long number(JsonCursor cursor, int member, String name) throws IOException {
        once(member, name);
        if (cursor.takeNull()) {
            return HistorySlice.NONE;
        }
        if (!cursor.isNumberNext()) {
            throw cursor.unexpected("an integer as " + name);
        }
        given |= member;
        return cursor.readLong();
    }

    private long time(JsonCursor cursor, int member, String name) throws IOException {
        long time = number(cursor, member, name);
        if (time == HistorySlice.NONE && (given & member) != 0) {
            throw reserved(name);
        }
        return time;
    }

    static BadRowException reserved(String name) {
        return BadRowException.of("number is reserved")
                .with("%s=%d", name, HistorySlice.NONE)
                .advise("it means a missing value");
    }

    private void readStatus(JsonCursor cursor) throws IOException {
        once(HAS_STATUS, "status");
        if (cursor.takeNull()) {
            return;
        }
        cursor.readString();
        String word = cursor.textString();
        int code = TxnStatus.code(word);
        if (code < 0) {
            throw BadRowException.of("unknown status").with("status=%s expected=committed|aborted|unknown", word);
        }
        status = (byte) code;
    }

    /** Reads an object with the name extra, which contains the members whose names are also column names. */
    private void readExtra(JsonCursor cursor) throws IOException {
        once(HAS_EXTRA, "extra");
        if (cursor.takeNull()) {
            return;
        }
        if (cursor.peek() != '{') {
            extra.take(cursor, "extra");
            return;
        }
        extra.takeObject(cursor);
    }
}
