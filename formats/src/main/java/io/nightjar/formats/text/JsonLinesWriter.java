package io.nightjar.formats.text;

import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes JSON Lines, compressed if the file's name ends in {@code .gz} or {@code .zst}. */
public final class JsonLinesWriter extends LineWriter {

    private static final Set<String> COLUMN_NAMES = HistoryColumn.OF_TXNS.stream()
            .flatMap(column -> Stream.of(column.shortName(), column.columnName()))
            .collect(Collectors.toUnmodifiableSet());

    private static final List<HistoryColumn> TXN_NUMBERS = HistoryColumn.TXN_NUMBERS;
    private static final List<String> TXN_NUMBER_NAMES = TXN_NUMBERS.stream()
            .map(column -> ",\"" + column.shortName() + "\":")
            .toList();
    private static final List<HistoryColumn> OP_NUMBERS = HistoryColumn.OP_NUMBERS.stream()
            .filter(column -> HistoryColumn.OF_ITEM_OPS.contains(column) || column == HistoryColumn.RESULT)
            .toList();
    private static final List<String> OP_NUMBER_NAMES =
            OP_NUMBERS.stream().map(column -> "\"" + column.shortName() + "\":").toList();

    public JsonLinesWriter(Path file) throws IOException {
        super(file, "\n");
    }

    @Override
    void writeDoubt(String why) {
        UndecidedReasonLine.putJson(why, out);
    }

    @Override
    void writeTxn(HistorySlice slice, int txn) throws IOException {
        out.ascii("{\"txn\":").number(slice.txnId[txn]).ascii(",\"session\":").number(slice.sessionId[txn]);
        out.ascii(",\"seq\":").number(slice.sessionSeq[txn]).ascii(",\"status\":\"");
        out.ascii(TxnStatus.name(slice.status[txn])).ascii("\"");
        for (int i = 0; i < TXN_NUMBERS.size(); i++) {
            long number = slice.number(TXN_NUMBERS.get(i), txn);
            if (number != HistorySlice.NONE) {
                out.ascii(TXN_NUMBER_NAMES.get(i)).number(number);
            }
        }
        out.ascii(",\"ops\":[");
        int first = slice.firstOpOf[txn];
        int end = slice.firstOpOf[txn + 1];
        for (int op = first; op < end; ) {
            out.ascii(op == first ? "[" : ",[");
            op = OpKind.isPredicate(slice.kind[op]) ? writePredicate(slice, op, end) : writeOp(slice, op);
            out.ascii("]");
        }
        out.ascii("]");
        if (slice.extra != null && slice.extra[txn] != null) {
            writeExtra(slice.extra[txn]);
        }
        out.ascii("}\n");
    }

    /** Writes a predicate read with its rows; returns the operation after them. */
    private int writePredicate(HistorySlice slice, int op, int end) {
        out.ascii("\"p\",");
        JsonText.putString(String.valueOf(slice.text(HistoryColumn.PREDICATE, op)), out.text);
        out.ascii(",");
        String params = slice.text(HistoryColumn.PARAMS, op);
        if (params == null) {
            out.ascii("null");
        } else {
            writeParams(params);
        }
        out.ascii(",");
        int next = op + 1;
        if (!slice.has(HistoryColumn.ROWS, op)) {
            out.ascii("null");
        } else {
            out.ascii("[");
            int endOfRows = (int) Math.min(end, next + slice.number(HistoryColumn.ROWS, op));
            while (next < endOfRows) {
                out.ascii(next == op + 1 ? "[" : ",[");
                next = writeOp(slice, next);
                out.ascii("]");
            }
            out.ascii("]");
        }
        writePredicateAttributes(slice, op);
        return next;
    }

    private void writePredicateAttributes(HistorySlice slice, int op) {
        boolean isFirst = true;
        if (slice.hasKey(op)) {
            out.ascii(",{\"relation\":").jsonKey(slice, op);
            isFirst = false;
        }
        for (HistoryColumn column : List.of(HistoryColumn.READ_TS, HistoryColumn.LIMIT)) {
            if (slice.has(column, op)) {
                out.ascii(isFirst ? ",{\"" : ",\"").ascii(column.columnName()).ascii("\":");
                out.number(slice.number(column, op));
                isFirst = false;
            }
        }
        String order = slice.text(HistoryColumn.ORDER, op);
        if (order != null) {
            out.ascii(isFirst ? ",{\"order\":" : ",\"order\":");
            JsonText.putString(order, out.text);
            isFirst = false;
        }
        if (OpKind.hasValue(slice.kind[op])) {
            out.ascii(isFirst ? ",{\"value\":" : ",\"value\":").jsonValue(slice, slice.value[op]);
            isFirst = false;
        }
        writeAttributes(slice, op, isFirst);
    }

    private int writeOp(HistorySlice slice, int op) {
        byte kind = slice.kind[op];
        out.ascii("\"").ascii(OpKind.name(kind)).ascii("\",").jsonKey(slice, op).ascii(",");
        if (OpKind.hasList(kind)) {
            out.jsonList(slice, slice.value[op]);
        } else if (OpKind.hasValue(kind)) {
            writeValue(slice, slice.value[op]);
        } else {
            out.ascii("null");
        }
        writeAttributes(slice, op, true);
        return op + 1;
    }

    /** Writes a value; in a history of tables, a row is written as a JSON object. */
    private void writeValue(HistorySlice slice, long value) {
        if (isRelational && slice.valueType == ValueType.STRING) {
            int name = (int) value;
            byte[] utf8 = slice.valueNames.bytes();
            int first = slice.valueNames.firstByte(name);
            int length = slice.valueNames.length(name);
            if (canonicalJson.isCanonicalRow(utf8, first, length)) {
                out.bytes(utf8, first, length);
                return;
            }
        }
        out.jsonValue(slice, value);
    }

    private void writeAttributes(HistorySlice slice, int op, boolean isFirstOfAll) {
        boolean isFirst = isFirstOfAll;
        if (OpKind.isConditional(slice.kind[op])) {
            isFirst = writeCondition(slice, op);
        }
        for (int i = 0; i < OP_NUMBERS.size(); i++) {
            long number = slice.number(OP_NUMBERS.get(i), op);
            if (number != HistorySlice.NONE) {
                out.ascii(isFirst ? ",{" : ",").ascii(OP_NUMBER_NAMES.get(i)).number(number);
                isFirst = false;
            }
        }
        if (!isFirst) {
            out.ascii("}");
        }
    }

    /** Writes the old value and the outcome of a conditional write; returns false if it wrote any. */
    private boolean writeCondition(HistorySlice slice, int op) {
        String params = slice.text(HistoryColumn.PARAMS, op);
        if (params != null) {
            out.ascii(",{\"params\":");
            writeParams(params);
        }
        long done = slice.number(HistoryColumn.DONE, op);
        if (done != HistorySlice.NONE) {
            out.ascii(params == null ? ",{\"done\":" : ",\"done\":").ascii(done != 0 ? "true" : "false");
            return false;
        }
        return params == null;
    }

    /** Writes extra members into the line; the whole object becomes one member if one of its names is a column's. */
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
