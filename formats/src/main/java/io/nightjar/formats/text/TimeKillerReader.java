package io.nightjar.formats.text;

import io.nightjar.formats.file.CorruptDataException;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.OpKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Reads TimeKiller's JSON as a stream, transaction by transaction. */
final class TimeKillerReader extends FileByFile<TimeKillerArray> {

    private static final byte NO_KIND = -1;
    private static final int NO_VALUE = 0;
    private static final int SCALAR = 1;
    private static final int LIST = 2;

    private final TimeKillerIds ids;
    private final TimeKillerTxn txn = new TimeKillerTxn();
    private final TimeKillerTxn.OpsReader ops = this::readOps;
    private final ExtraMemberCollector extra = new ExtraMemberCollector();
    private final Utf8 scratch = new Utf8();

    TimeKillerReader(List<Path> files, TimeKillerIds ids, Set<ColumnGroup> wanted, BadRowHandler badRows) {
        super(files, new RowSliceBuilder(wanted, badRows, false));
        this.ids = ids;
    }

    @Override
    protected TimeKillerArray open(Path file) throws IOException {
        return new TimeKillerArray(file);
    }

    @Override
    protected boolean readNext(TimeKillerArray array) throws IOException {
        if (!array.advance()) {
            return false;
        }
        readRow(array);
        return true;
    }

    private void readRow(TimeKillerArray array) throws IOException {
        sink.beginRow(array.row());
        long start;
        long commit;
        long id;
        long session;
        try {
            txn.read(array.cursor(), ops, extra);
            start = ids.timestamp(txn.start);
            commit = ids.timestamp(txn.commit);
            id = ids.txn(txn.txn);
            session = ids.session(txn.session);
            keepOriginals();
        } catch (BadRowException bad) {
            sink.refuseRow(bad.fault(), array.passOver(RowSliceBuilder.RAW_LENGTH));
            return;
        } catch (CorruptDataException damaged) {
            throw array.malformed(damaged.fault());
        }
        sink.beginTxn(id, session, sink.positionIn(session)).timestamps(start, commit);
        sink.endRow(extra.build());
    }

    // ---------------------------------------------------------------- operations

    private void readOps(JsonCursor cursor) throws IOException {
        cursor.expect('[', "an array of operations");
        if (cursor.take(']')) {
            return;
        }
        do {
            readOp(cursor);
        } while (cursor.takeComma(']'));
    }

    private void readOp(JsonCursor cursor) throws IOException {
        cursor.expect('{');
        byte kind = NO_KIND;
        boolean hasKey = false;
        boolean hasValue = false;
        long key = 0;
        long value = 0;
        int valueForm = NO_VALUE;
        do {
            long name = cursor.readName();
            if (name == 't' && kind == NO_KIND) {
                kind = kind(cursor);
            } else if (name == 'k' && !hasKey) {
                hasKey = true;
                key = sink.key(TimeKillerTxn.readLong(cursor, "k"));
            } else if (name == 'v' && !hasValue) {
                hasValue = true;
                int next = cursor.peek();
                if (next == '[') {
                    valueForm = LIST;
                    readList(cursor);
                } else if (next != 'n' || !cursor.takeNull()) {
                    valueForm = SCALAR;
                    value = sink.value(TimeKillerTxn.readLong(cursor, "v"));
                }
            } else {
                throw unknownMember(cursor);
            }
        } while (cursor.takeComma('}'));
        if (kind == NO_KIND || !hasKey) {
            throw incomplete(cursor);
        }
        addOp(cursor, kind, key, valueForm, value);
    }

    private void addOp(JsonCursor cursor, byte kind, long key, int valueForm, long value) {
        if (kind != OpKind.READ) {
            if (valueForm != SCALAR) {
                throw withoutValue(cursor, key);
            }
            sink.ops().op(kind, key, value);
        } else if (valueForm == SCALAR) {
            sink.ops().op(OpKind.READ, key, value);
        } else if (valueForm == LIST) {
            sink.ops().listRead(key);
        } else {
            sink.ops().op(OpKind.READ_NOTHING, key, 0);
        }
    }

    private void readList(JsonCursor cursor) throws IOException {
        cursor.expect('[');
        sink.ops().beginList();
        if (!cursor.take(']')) {
            do {
                sink.ops().element(sink.value(TimeKillerTxn.readLong(cursor, "v")));
            } while (cursor.takeComma(']'));
        }
    }

    private static byte kind(JsonCursor cursor) throws IOException {
        long word = cursor.readPackedString();
        if (word == 'r' || word == 'R') {
            return OpKind.READ;
        }
        return word == 'w' || word == 'W' ? OpKind.WRITE : spelledKind(cursor);
    }

    private static byte spelledKind(JsonCursor cursor) {
        String spelled = cursor.textString();
        return switch (spelled.toLowerCase(Locale.ROOT)) {
            case "read" -> OpKind.READ;
            case "write" -> OpKind.WRITE;
            case "a", "append" -> OpKind.APPEND;
            default ->
                throw BadRowException.of("unknown operation kind")
                        .with("t=%s expected=r|read|w|write|a|append %s", spelled, cursor.location());
        };
    }

    // Errors are created here, so that the methods above stay short enough for compilers to inline them into one loop.

    private static BadRowException unknownMember(JsonCursor cursor) {
        return BadRowException.of("unknown or repeated member of an operation")
                .with("name=%s expected=t,k,v %s", cursor.textString(), cursor.location());
    }

    private static BadRowException incomplete(JsonCursor cursor) {
        return BadRowException.of("operation is not complete").with("expected=t,k,v " + cursor.location());
    }

    private static BadRowException withoutValue(JsonCursor cursor, long key) {
        return BadRowException.of("write without a value").with("key=%d %s", key, cursor.location());
    }

    // ---------------------------------------------------------------- original values of ordinals

    private void keepOriginals() {
        if (ids.areTxnsOrdinals()) {
            keepName("tid", txn.txn);
        }
        if (ids.areSessionsOrdinals()) {
            keepName("sid", txn.session);
        }
        if (ids.areClocksOrdinals()) {
            keepClock("sts", txn.start);
            keepClock("cts", txn.commit);
        }
    }

    private void keepName(String member, TimeKillerTxn.Name name) {
        scratch.clear();
        if (name.isQuoted) {
            JsonText.putString(name.spelling(), scratch);
        } else {
            JsonText.putLong(name.number, scratch);
        }
        extra.put(member, scratch.bytes, scratch.length);
    }

    private void keepClock(String member, TimeKillerTxn.Clock clock) {
        scratch.clear();
        JsonText.putAscii("{\"p\":", scratch);
        JsonText.putLong(clock.physical, scratch);
        JsonText.putAscii(",\"l\":", scratch);
        JsonText.putLong(clock.logical, scratch);
        scratch.put('}');
        extra.put(member, scratch.bytes, scratch.length);
    }
}
