package io.nightjar.formats.parquet;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.ListRef;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Transactions as text, one line each, with all data of a slice about them. */
final class SliceText {

    private SliceText() {}

    /** Returns all transactions of a file. */
    static List<String> read(Path file) throws IOException {
        return read(file, ColumnGroup.all(), BadRowHandler.REJECT);
    }

    static List<String> read(Path file, Set<ColumnGroup> wanted, BadRowHandler badRows) throws IOException {
        List<String> lines = new ArrayList<>();
        try (HistorySource source = ParquetHistorySource.open(file.toString(), List.of(file))) {
            for (int split = 0; split < source.splits().size(); split++) {
                try (SliceReader reader = source.open(split, wanted, badRows)) {
                    for (HistorySlice slice = reader.next(); slice != null; slice = reader.next()) {
                        lines.addAll(lines(slice));
                    }
                }
            }
        }
        return lines;
    }

    static List<String> lines(HistorySlice slice) {
        List<String> lines = new ArrayList<>();
        for (int txn = 0; txn < slice.txnCount; txn++) {
            lines.add(line(slice, txn));
        }
        return lines;
    }

    private static String line(HistorySlice slice, int txn) {
        StringBuilder line = new StringBuilder("row " + slice.rowOf(txn) + ": ");
        line.append(slice.txnId[txn]).append(' ').append(slice.sessionId[txn]);
        line.append('/').append(slice.sessionSeq[txn]).append(' ').append(TxnStatus.name(slice.status[txn]));
        line.append(" [").append(nullable(slice.startTs, txn)).append(',');
        line.append(nullable(slice.commitTs, txn)).append("] (");
        line.append(nullable(slice.invokeNs, txn)).append(',').append(nullable(slice.completeNs, txn));
        line.append(")");
        if (slice.firstOpOf != null) {
            for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
                line.append(' ').append(op(slice, op));
            }
        }
        if (slice.extra != null && slice.extra[txn] != null) {
            line.append(' ').append(slice.extra[txn]);
        }
        return line.toString();
    }

    private static String op(HistorySlice slice, int op) {
        byte kind = slice.kind[op];
        String quote = slice.keyType == ValueType.STRING ? "'" : "";
        String text = OpKind.name(kind) + "(" + quote + slice.keyText(op) + quote + ",";
        if (kind == OpKind.READ_LIST) {
            List<String> elements = new ArrayList<>();
            for (int i = 0; i < ListRef.length(slice.value[op]); i++) {
                elements.add(value(slice, slice.lists.element(ListRef.list(slice.value[op]), i)));
            }
            text += elements;
        } else {
            text += kind == OpKind.READ_NOTHING ? "_" : value(slice, slice.value[op]);
        }
        String version = nullable(slice.version, op);
        String writer = nullable(slice.writerTxn, op);
        return text + (version.equals("-") ? "" : " v" + version) + (writer.equals("-") ? "" : " by" + writer) + ")";
    }

    private static String value(HistorySlice slice, long scalar) {
        return slice.valueType == ValueType.STRING ? "'" + slice.valueText(scalar) + "'" : slice.valueText(scalar);
    }

    private static String nullable(long[] column, int index) {
        return column == null || column[index] == HistorySlice.NONE ? "-" : Long.toString(column[index]);
    }
}
