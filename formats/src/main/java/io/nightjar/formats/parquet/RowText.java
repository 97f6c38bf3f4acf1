package io.nightjar.formats.parquet;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.TxnStatus;
import org.jspecify.annotations.Nullable;

/** Text of a bad row, so that the file need not be opened again to show it. */
final class RowText {

    private static final int MAX_OPS = 50;

    private RowText() {}

    static String of(SliceBatchAssembler slice, int txn, @Nullable OpsReader ops, int firstOpOfBatch) {
        StringBuilder text = new StringBuilder("{");
        number(text, "txn", slice.txnId[txn]);
        number(text.append(','), "session", slice.sessionId[txn]);
        number(text.append(','), "seq", slice.sessionSeq[txn]);
        byte status = slice.status[txn];
        if (status >= 0) {
            text.append(",\"status\":\"").append(TxnStatus.name(status)).append('"');
        }
        for (HistoryColumn column : HistoryColumn.TXN_NUMBERS) {
            long[] ofTxns = slice.numbers[column.ordinal()];
            if (column.group() == ColumnGroup.TIMESTAMPS && ofTxns != null) {
                number(text.append(','), column.shortName(), ofTxns[txn]);
            }
        }
        if (ops != null) {
            ops(text, slice, txn, ops, firstOpOfBatch);
        }
        return text.append('}').toString();
    }

    private static void number(StringBuilder text, @Nullable String name, long number) {
        text.append('"').append(name).append("\":");
        if (number == HistorySlice.NONE) {
            text.append("null");
        } else {
            text.append(number);
        }
    }

    private static void ops(StringBuilder text, SliceBatchAssembler slice, int txn, OpsReader ops, int firstOpOfBatch) {
        text.append(",\"ops\":[");
        int first = requireNonNull(slice.firstOpOf)[txn];
        int end = slice.firstOpOf[txn + 1];
        for (int op = first; op < Math.min(end, first + MAX_OPS); op++) {
            ops.appendText(op == first ? text : text.append(','), slice, op, firstOpOfBatch);
        }
        text.append(end - first > MAX_OPS ? ",...]" : "]");
    }
}
