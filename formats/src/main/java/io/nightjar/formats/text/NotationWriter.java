package io.nightjar.formats.text;

import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.ListRef;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Writes the notation of documents and tests; docs/history-format.md contains its grammar. */
public final class NotationWriter extends LineWriter {

    private final Long2LongOpenHashMap rowsOfSession = new Long2LongOpenHashMap();

    public NotationWriter(Path file) throws IOException {
        super(file, "# no transactions\n");
    }

    @Override
    void writeDoubt(String why) {
        UndecidedReasonLine.putNotation(why, out);
    }

    @Override
    void writeTxn(HistorySlice slice, int txn) throws IOException {
        long session = slice.sessionId[txn];
        out.ascii("s").number(session);
        if (rowsOfSession.addTo(session, 1) != slice.sessionSeq[txn]) {
            out.ascii("/").number(slice.sessionSeq[txn]);
        }
        out.ascii(" T").number(slice.txnId[txn]);
        if (slice.status[txn] != TxnStatus.COMMITTED) {
            out.ascii(slice.status[txn] == TxnStatus.ABORTED ? "!" : "?");
        }
        writeTimes(" [", slice.startTs, slice.commitTs, "]", txn);
        writeTimes(" <", slice.invokeNs, slice.completeNs, ">", txn);
        out.ascii(":");
        for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
            out.ascii(" ");
            writeOp(slice, op);
        }
        if (slice.extra != null && slice.extra[txn] != null) {
            out.ascii(" ");
            writeExtra(slice.extra[txn]);
        }
        out.ascii("\n");
    }

    private void writeTimes(String open, long[] firstOf, long[] secondOf, String close, int txn) {
        if (firstOf == null || (firstOf[txn] == HistorySlice.NONE && secondOf[txn] == HistorySlice.NONE)) {
            return;
        }
        out.ascii(open);
        writeTime(firstOf[txn]);
        out.ascii(",");
        writeTime(secondOf[txn]);
        out.ascii(close);
    }

    private void writeTime(long time) {
        if (time == HistorySlice.NONE) {
            out.ascii("_");
        } else {
            out.number(time);
        }
    }

    private void writeOp(HistorySlice slice, int op) {
        byte kind = slice.kind[op];
        out.ascii(OpKind.name(kind));
        if (OpKind.isPredicate(kind)) {
            writePredicate(slice, op);
            writeAttributes(slice, op);
            return;
        }
        out.ascii("(");
        writeScalar(slice.key[op], slice.keyType == ValueType.STRING ? slice.keyNames : null);
        boolean hasText = kind == OpKind.READ_NOTHING || OpKind.hasValue(kind) || OpKind.hasList(kind);
        out.ascii(hasText ? "," : ""); // a deletion, or an inspected row, may have no further text
        if (kind == OpKind.CAS) {
            writeOldValue(String.valueOf(slice.text(HistoryColumn.PARAMS, op)));
            out.ascii(",");
        }
        if (kind == OpKind.READ_NOTHING) {
            out.ascii("_");
        } else if (kind == OpKind.READ_LIST) {
            writeList(slice, slice.value[op]);
        } else if (hasText) {
            writeValue(slice, slice.value[op]);
        }
        out.ascii(")");
        if (OpKind.isConditional(kind) && slice.has(HistoryColumn.DONE, op)) {
            out.ascii(slice.number(HistoryColumn.DONE, op) != 0 ? "=true" : "=false");
        }
        if (kind == OpKind.INCREMENT) {
            writeNumber("=", slice, HistoryColumn.RESULT, op);
        }
        writeAttributes(slice, op);
    }

    /** @param params a JSON array of the old value */
    private void writeOldValue(String params) {
        String old = params.substring(1, params.length() - 1).strip();
        if (old.equals("null")) {
            out.ascii("_");
        } else if (old.startsWith("{")) {
            JsonText.putString(old, out.text);
        } else {
            byte[] utf8 = old.getBytes(StandardCharsets.UTF_8);
            out.bytes(utf8, 0, utf8.length);
        }
    }

    private void writePredicate(HistorySlice slice, int op) {
        if (slice.hasKey(op)) {
            out.ascii("[");
            writeScalar(slice.key[op], slice.keyType == ValueType.STRING ? slice.keyNames : null);
            out.ascii("]");
        }
        out.ascii("(");
        JsonText.putString(String.valueOf(slice.text(HistoryColumn.PREDICATE, op)), out.text);
        String params = slice.text(HistoryColumn.PARAMS, op);
        if (params != null) {
            out.ascii(",");
            writeParams(params);
        } else if (slice.has(HistoryColumn.ROWS, op)) {
            out.ascii(",_");
        }
        writeNumber(",", slice, HistoryColumn.ROWS, op);
        out.ascii(")");
        if (OpKind.hasValue(slice.kind[op])) {
            out.ascii("=");
            writeValue(slice, slice.value[op]);
        }
        writeNumber("^", slice, HistoryColumn.READ_TS, op);
        writeNumber("~", slice, HistoryColumn.LIMIT, op);
        String order = slice.text(HistoryColumn.ORDER, op);
        if (order != null) {
            out.ascii(slice.has(HistoryColumn.LIMIT, op) ? "" : "~_");
            JsonText.putString(order, out.text);
        }
    }

    private void writeAttributes(HistorySlice slice, int op) {
        writeNumber("@", slice, HistoryColumn.VERSION, op);
        writeNumber("<-T", slice, HistoryColumn.WRITER_TXN, op);
    }

    private void writeNumber(String before, HistorySlice slice, HistoryColumn column, int op) {
        if (slice.has(column, op)) {
            out.ascii(before).number(slice.number(column, op));
        }
    }

    private void writeList(HistorySlice slice, long ref) {
        int list = ListRef.list(ref);
        int length = ListRef.length(ref);
        out.ascii("[");
        for (int i = 0; i < length; i++) {
            out.ascii(i > 0 ? "," : "");
            writeValue(slice, slice.lists.element(list, i));
        }
        out.ascii("]");
    }

    private void writeValue(HistorySlice slice, long scalar) {
        writeScalar(scalar, slice.valueType == ValueType.STRING ? slice.valueNames : null);
    }

    private void writeScalar(long scalar, @Nullable StringPool names) {
        if (names == null) {
            out.number(scalar);
            return;
        }
        int name = (int) scalar;
        byte[] bytes = names.bytes();
        int first = names.firstByte(name);
        int length = names.length(name);
        if (names.isJson() && bytes[first] != '"') {
            out.ascii(bytes[first] == 't' || bytes[first] == 'f' ? "=" : "");
            out.text.put(bytes, first, length);
        } else if (names.isJson()) {
            out.text.put(bytes, first, length);
        } else if (isRelational && isRow(bytes, first, length)) {
            out.ascii("'");
            out.text.put(bytes, first, length);
            out.ascii("'");
        } else if (NotationRow.isBareWord(bytes, first, length)) {
            out.text.put(bytes, first, length);
        } else {
            JsonText.putString(bytes, first, length, out.text);
        }
    }

    /** Returns whether a value is a row that can be written in single quotes without escapes. */
    private boolean isRow(byte[] bytes, int first, int length) {
        for (int i = first; i < first + length; i++) {
            if (bytes[i] == '\'') {
                return false;
            }
        }
        return canonicalJson.isCanonicalRow(bytes, first, length);
    }

    private void writeExtra(String object) throws IOException {
        extra.parse(object);
        if (extra.isObject()) {
            extra.copyTo(out.text);
        } else {
            out.ascii("{\"extra\":");
            JsonText.putString(object, out.text);
            out.ascii("}");
        }
    }
}
