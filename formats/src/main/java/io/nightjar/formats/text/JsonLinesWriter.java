package io.nightjar.formats.text;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

/** Writes JSON Lines, compressed if the file's name ends in {@code .gz} or {@code .zst}. */
public final class JsonLinesWriter implements HistoryWriter {

    private static final Set<String> COLUMN_NAMES =
            Set.of("txn", "session", "seq", "status", "start", "commit", "invoke", "complete", "ops", "extra");

    private final TextOutput out;
    private final ExtraObject extra = new ExtraObject();

    public JsonLinesWriter(Path file) throws IOException {
        this.out = new TextOutput(file);
    }

    @Override
    public void write(HistorySlice slice) throws IOException {
        for (int txn = 0; txn < slice.txnCount; txn++) {
            writeTxn(slice, txn);
            out.flushIfFull();
        }
    }

    @Override
    public void finish() throws IOException {
        if (out.isEmpty()) {
            out.ascii("\n"); // a file without a byte would not be a history
        }
        out.finish();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }

    private void writeTxn(HistorySlice slice, int txn) throws IOException {
        out.ascii("{\"txn\":");
        out.number(slice.txnId[txn]);
        out.ascii(",\"session\":");
        out.number(slice.sessionId[txn]);
        out.ascii(",\"seq\":");
        out.number(slice.sessionSeq[txn]);
        out.ascii(",\"status\":\"");
        out.ascii(TxnStatus.name(slice.status[txn]));
        out.ascii("\"");
        writeTime(",\"start\":", slice.startTs, txn);
        writeTime(",\"commit\":", slice.commitTs, txn);
        writeTime(",\"invoke\":", slice.invokeNs, txn);
        writeTime(",\"complete\":", slice.completeNs, txn);
        out.ascii(",\"ops\":[");
        int first = slice.firstOpOf[txn];
        for (int op = first; op < slice.firstOpOf[txn + 1]; op++) {
            out.ascii(op == first ? "[" : ",[");
            writeOp(slice, op);
            out.ascii("]");
        }
        out.ascii("]");
        if (slice.extra != null && slice.extra[txn] != null) {
            writeExtra(slice.extra[txn]);
        }
        out.ascii("}\n");
    }

    private void writeTime(String name, long[] timeOf, int txn) {
        if (timeOf != null && timeOf[txn] != HistorySlice.NONE) {
            out.ascii(name);
            out.number(timeOf[txn]);
        }
    }

    private void writeOp(HistorySlice slice, int op) {
        byte kind = slice.kind[op];
        out.ascii("\"");
        out.ascii(OpKind.name(kind));
        out.ascii("\",");
        out.jsonKey(slice, op);
        out.ascii(",");
        if (kind == OpKind.READ_NOTHING) {
            out.ascii("null");
        } else if (kind == OpKind.READ_LIST) {
            out.jsonList(slice, slice.value[op]);
        } else {
            out.jsonValue(slice, slice.value[op]);
        }
        boolean hasVersion = slice.version != null && slice.version[op] != HistorySlice.NONE;
        boolean hasWriter = slice.writerTxn != null && slice.writerTxn[op] != HistorySlice.NONE;
        if (hasVersion) {
            out.ascii(",{\"version\":");
            out.number(slice.version[op]);
        }
        if (hasWriter) {
            out.ascii(hasVersion ? ",\"writer\":" : ",{\"writer\":");
            out.number(slice.writerTxn[op]);
        }
        if (hasVersion || hasWriter) {
            out.ascii("}");
        }
    }

    /** Members go into the line itself; the whole object goes under a name of its own if one is called like a column. */
    private void writeExtra(String object) throws IOException {
        extra.parse(object);
        if (!extra.isObject()) {
            out.ascii(",\"extra\":");
            JsonText.putString(object, out.text);
        } else if (extra.isEmpty() || extra.hasNameIn(COLUMN_NAMES)) {
            out.ascii(",\"extra\":");
            extra.copyTo(out.text);
        } else {
            out.ascii(",");
            extra.copyMembersTo(out.text);
        }
    }
}
