package io.nightjar.formats.jepsen;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.ListRef;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.ExtraObject;
import io.nightjar.formats.text.JsonText;
import io.nightjar.formats.text.TextOutput;
import io.nightjar.formats.text.Utf8;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes the operation maps of Jepsen, in EDN or in the JSON of elle-cli.
 *
 * <p>Each transaction becomes an invocation and a completion in the order of the clients' times. If a transaction has
 * no such times, only completions are written, since a pair would claim an unknown real time. Timestamps, versions and
 * writers are omitted.
 */
public final class JepsenWriter implements HistoryWriter {

    private static final Set<String> MEMBER_NAMES = Set.of("index", "time", "type", "process", "f", "value", "extra");

    private final boolean isJson;
    private final TextOutput out;
    private final EventSpool spool;
    private final JepsenEventOrder order = new JepsenEventOrder();
    private final ExtraObject extra = new ExtraObject();
    private final Utf8 members = new Utf8();

    /** A {@link TxnStatus} for each transaction, in the order of rows. */
    private final Utf8 statuses = new Utf8();

    /** Sort of the objects. A history with several sorts could be written, but no reader accepts it. */
    private final JepsenWorkload workload = new JepsenWorkload("row");

    private String sourceFile = "";

    private JepsenWriter(Path file, boolean isJson) throws IOException {
        this.isJson = isJson;
        this.out = new TextOutput(file);
        try {
            this.spool = new EventSpool(file);
        } catch (IOException e) {
            out.close();
            throw e;
        }
    }

    public static JepsenWriter edn(Path file) throws IOException {
        return new JepsenWriter(file, false);
    }

    public static JepsenWriter json(Path file) throws IOException {
        return new JepsenWriter(file, true);
    }

    @Override
    public void write(HistorySlice slice) throws IOException {
        sourceFile = slice.file;
        for (int txn = 0; txn < slice.txnCount; txn++) {
            byte status = slice.status[txn];
            seeWorkload(slice, txn);
            statuses.put(status);
            putTail(slice, txn, false);
            spool.end();
            putTail(slice, txn, true);
            spool.end();
            order.add(
                    slice.txnId[txn],
                    slice.sessionId[txn],
                    slice.sessionSeq[txn],
                    slice.invokeNs == null ? HistorySlice.NONE : slice.invokeNs[txn],
                    slice.completeNs == null ? HistorySlice.NONE : slice.completeNs[txn],
                    status == TxnStatus.UNKNOWN);
        }
    }

    private void seeWorkload(HistorySlice slice, int txn) {
        workload.at(slice.rowOf(txn));
        try {
            for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
                byte kind = slice.kind[op];
                if (!OpKind.isItem(kind)) {
                    throw unfit(slice, txn, "kind=" + OpKind.name(kind), "it has reads and writes of single keys only");
                }
                seeOperation(kind);
            }
        } catch (BadRowException mixed) {
            throw unfit(slice, txn, mixed.fault().complaint(), mixed.fault().advice());
        }
    }

    private MalformedHistoryException unfit(HistorySlice slice, int txn, String details, String advice) {
        return new MalformedHistoryException(
                slice.locationOf(txn),
                InputError.of("does not fit the format " + formatName())
                        .with("txn_id=%d %s", slice.txnId[txn], details)
                        .advise(advice));
    }

    private void seeOperation(byte kind) {
        if (OpKind.isWrite(kind)) {
            workload.sawWrite(kind);
        } else if (kind == OpKind.READ_LIST) {
            workload.sawListRead();
        } else if (kind == OpKind.READ) {
            workload.sawScalarRead();
        }
    }

    private String formatName() {
        return isJson ? "elle-json" : "edn";
    }

    @Override
    public boolean takesMixedTypes() {
        return true;
    }

    @Override
    public void finish() throws IOException {
        spool.flush();
        out.ascii(isJson ? "[" : "");
        if (order.hasTimes()) {
            writeEvents();
        } else {
            writeCompletions();
        }
        out.ascii(isJson ? "\n]\n" : "");
        if (out.isEmpty()) {
            out.ascii("\n"); // an empty file would not be a history
        }
        out.finish();
    }

    @Override
    public void close() throws IOException {
        try {
            out.close();
        } finally {
            spool.close();
        }
    }

    // ---------------------------------------------------------------- events

    private void writeEvents() throws IOException {
        int overlap = order.findOverlap();
        if (overlap != JepsenEventOrder.NO_OVERLAP) {
            throw new MalformedHistoryException(
                    InputLocation.file(sourceFile),
                    InputError.of("does not fit the format " + formatName())
                            .with(
                                    "txn_id=%d session_id=%d begins before the transaction before it in its session has ended",
                                    order.txnId(overlap), order.sessionId(overlap))
                            .advise("a process does one thing at a time"));
        }
        int index = 0;
        for (int event : order.events()) {
            boolean isCompletion = (event & 1) == 1;
            if (order.time(event) != HistorySlice.NONE) {
                String type = isCompletion ? typeName(event >> 1) : "invoke";
                writeEvent(index++, order.time(event), type, event);
            }
        }
    }

    private void writeCompletions() throws IOException {
        int index = 0;
        for (int txn : order.txns()) {
            writeEvent(index++, HistorySlice.NONE, typeName(txn), 2 * txn + 1);
        }
    }

    private String typeName(int txn) {
        return switch (statuses.bytes[txn]) {
            case TxnStatus.COMMITTED -> "ok";
            case TxnStatus.ABORTED -> "fail";
            default -> "info";
        };
    }

    private void writeEvent(int index, long time, String type, int event) throws IOException {
        boolean hasTime = time != HistorySlice.NONE;
        if (isJson) {
            out.ascii(index == 0 ? "\n" : ",\n").ascii("{\"index\":").number(index);
            if (hasTime) {
                out.ascii(",\"time\":").number(time);
            }
            out.ascii(",\"type\":\"").ascii(type).ascii("\"");
        } else {
            out.ascii("{:index ").number(index);
            if (hasTime) {
                out.ascii(", :time ").number(time);
            }
            out.ascii(", :type :").ascii(type);
        }
        spool.copy(event, out.text);
        out.flushIfFull();
    }

    // ---------------------------------------------------------------- members after the type

    private void putTail(HistorySlice slice, int txn, boolean isCompletion) throws IOException {
        Utf8 text = spool.text();
        JsonText.putAscii(isJson ? ",\"process\":" : ", :process ", text);
        JsonText.putLong(slice.sessionId[txn], text);
        JsonText.putAscii(isJson ? ",\"f\":\"txn\",\"value\":[" : ", :f :txn, :value [", text);
        int first = slice.firstOpOf[txn];
        for (int op = first; op < slice.firstOpOf[txn + 1]; op++) {
            if (op > first) {
                text.put(isJson ? ',' : ' ');
            }
            putOp(slice, op, isCompletion, text);
        }
        text.put(']');
        if (isCompletion && slice.extra != null && slice.extra[txn] != null) {
            putExtra(slice.extra[txn], text);
        }
        JsonText.putAscii(isJson ? "}" : "}\n", text);
    }

    private void putOp(HistorySlice slice, int op, boolean isCompletion, Utf8 text) {
        byte kind = slice.kind[op];
        JsonText.putAscii(isJson ? "[\"" : "[:", text);
        JsonText.putAscii(OpKind.name(kind), text);
        JsonText.putAscii(isJson ? "\"," : " ", text);
        JsonText.putScalar(slice.keyType == ValueType.STRING ? slice.keyNames : null, slice.key[op], text);
        text.put(isJson ? ',' : ' ');
        if (kind == OpKind.READ_NOTHING || (OpKind.isRead(kind) && !isCompletion)) {
            JsonText.putAscii(isJson ? "null" : "nil", text);
        } else if (kind == OpKind.READ_LIST) {
            putList(slice, slice.value[op], text);
        } else {
            JsonText.putScalar(valueNames(slice), slice.value[op], text);
        }
        text.put(']');
    }

    private void putList(HistorySlice slice, long ref, Utf8 text) {
        int list = ListRef.list(ref);
        int length = ListRef.length(ref);
        text.put('[');
        for (int i = 0; i < length; i++) {
            if (i > 0) {
                text.put(isJson ? ',' : ' ');
            }
            JsonText.putScalar(valueNames(slice), slice.lists.element(list, i), text);
        }
        text.put(']');
    }

    private static @Nullable StringPool valueNames(HistorySlice slice) {
        return slice.valueType == ValueType.STRING ? slice.valueNames : null;
    }

    /** Writes extra members into the map; the whole object becomes one member if one of its names is already used. */
    private void putExtra(String object, Utf8 text) throws IOException {
        extra.parse(object);
        members.clear();
        if (!extra.isObject()) {
            JsonText.putAscii("\"extra\":", members);
            JsonText.putString(object, members);
        } else if (extra.isEmpty() || extra.hasNameIn(MEMBER_NAMES)) {
            JsonText.putAscii("\"extra\":", members);
            extra.copyTo(members);
        } else {
            extra.copyMembersTo(members);
        }
        JsonText.putAscii(isJson ? "," : ", ", text);
        if (isJson) {
            text.put(members.bytes, 0, members.length);
        } else {
            JsonToEdn.putMembers(members, text);
        }
    }
}
