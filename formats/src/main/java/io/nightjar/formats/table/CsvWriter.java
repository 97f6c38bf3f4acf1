package io.nightjar.formats.table;

import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.ListRef;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.StringPool;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import io.nightjar.formats.text.JsonText;
import io.nightjar.formats.text.TextOutput;
import io.nightjar.formats.text.Utf8;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Writes a table with one row per operation as CSV: text in quotes, numbers without; extra members are omitted. */
public final class CsvWriter implements HistoryWriter {

    private static final List<HistoryColumn> TXN_NUMBERS = HistoryColumn.TXN_NUMBERS;
    private static final List<HistoryColumn> OP_NUMBERS = List.of(HistoryColumn.VERSION, HistoryColumn.WRITER_TXN);

    private final TextOutput out;
    private final Utf8 list = new Utf8();

    public CsvWriter(Path file) throws IOException {
        this.out = new TextOutput(file);
        out.ascii("txn,session,session_seq,status");
        TXN_NUMBERS.forEach(column -> out.ascii("," + column.shortName()));
        out.ascii(",op_index,op,key,value,elements");
        OP_NUMBERS.forEach(column -> out.ascii("," + column.shortName()));
        out.ascii("\n");
    }

    @Override
    public void write(HistorySlice slice) throws IOException {
        for (int txn = 0; txn < slice.txnCount; txn++) {
            int first = slice.firstOpOf[txn];
            int end = slice.firstOpOf[txn + 1];
            for (int op = first; op < end; op++) {
                writeTxn(slice, txn);
                writeOp(slice, txn, op, op - first);
            }
            if (first == end) { // a transaction without operations has a row without an operation
                writeTxn(slice, txn);
                out.ascii(",,,,,");
                OP_NUMBERS.forEach(column -> out.ascii(","));
                out.ascii("\n");
            }
            out.flushIfFull();
        }
    }

    private void writeTxn(HistorySlice slice, int txn) {
        out.number(slice.txnId[txn]).ascii(",").number(slice.sessionId[txn]).ascii(",");
        out.number(slice.sessionSeq[txn]).ascii(",").ascii(TxnStatus.name(slice.status[txn]));
        for (HistoryColumn column : TXN_NUMBERS) {
            number(slice.numbers(column), txn);
        }
    }

    private void number(long[] column, int at) {
        out.ascii(",");
        if (column != null && column[at] != HistorySlice.NONE) {
            out.number(column[at]);
        }
    }

    private void writeOp(HistorySlice slice, int txn, int op, int index) {
        byte kind = slice.kind[op];
        if (!OpKind.isItem(kind) && kind != OpKind.DELETE) {
            throw new MalformedHistoryException(
                    slice.locationOf(txn),
                    InputError.of("a table of operations holds no "
                                    + (OpKind.isConditional(kind) ? "conditional writes" : "predicate reads"))
                            .with("kind=" + OpKind.name(kind))
                            .advise("write jsonl or parquet"));
        }
        out.ascii(",").number(index).ascii(",").ascii(OpKind.name(kind)).ascii(",");
        scalar(slice.keyType, slice.keyNames, slice.key[op]);
        out.ascii(",");
        if (OpKind.hasValue(kind)) {
            scalar(slice.valueType, slice.valueNames, slice.value[op]);
        }
        out.ascii(",");
        if (OpKind.hasList(kind)) {
            writeList(slice, slice.value[op]);
        }
        for (HistoryColumn column : OP_NUMBERS) {
            number(slice.numbers(column), op);
        }
        out.ascii("\n");
    }

    private void writeList(HistorySlice slice, long ref) {
        list.clear();
        list.put('[');
        for (int i = 0; i < ListRef.length(ref); i++) {
            if (i > 0) {
                list.put(',');
            }
            long element = slice.lists.element(ListRef.list(ref), i);
            JsonText.putScalar(slice.valueType == ValueType.STRING ? slice.valueNames : null, element, list);
        }
        list.put(']');
        quoted(list.bytes, 0, list.length);
    }

    private void scalar(ValueType type, StringPool names, long scalar) {
        if (type == ValueType.STRING) {
            quoted(names.bytes(), names.firstByte((int) scalar), names.length((int) scalar));
        } else {
            out.number(scalar);
        }
    }

    private void quoted(byte[] bytes, int from, int length) {
        out.text.put('"');
        for (int i = from; i < from + length; i++) {
            if (bytes[i] == '"') {
                out.text.put('"');
            }
            out.text.put(bytes[i]);
        }
        out.text.put('"');
    }

    @Override
    public void finish() throws IOException {
        out.finish();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
