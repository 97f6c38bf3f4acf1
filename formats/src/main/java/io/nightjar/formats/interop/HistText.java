package io.nightjar.formats.interop;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.history.ValueType;
import io.nightjar.formats.text.TextOutput;
import java.io.IOException;

/** Writes the text of dbcop, one transaction per line. */
final class HistText implements SessionText {

    private final FormatLimits fit = new FormatLimits("hist").neverEmpty().namedKeys();

    @Override
    public void check(HistorySlice slice, int txn) {
        fit.check(slice, txn);
        if (slice.keyType != ValueType.STRING) {
            return;
        }
        for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
            int name = (int) slice.key[op];
            int first = slice.keyNames.firstByte(name);
            int end = first + slice.keyNames.length(name);
            boolean isName = end > first;
            for (int at = first; at < end && isName; at++) {
                isName = HistRows.isNameByte(slice.keyNames.bytes()[at]);
            }
            if (!isName) {
                throw fit.unfit(slice, txn, "key=" + slice.keyText(op), "its keys are of letters, digits and _");
            }
        }
    }

    @Override
    public void write(BufferedHistory history, TextOutput out) throws IOException {
        if (history.size() == 0) {
            out.ascii("// no transactions\n");
        }
        for (int i = 0; i < history.size(); i++) {
            if (i > 0 && history.session(i) != history.session(i - 1)) {
                out.ascii("---\n");
            }
            writeTxn(history.slice(i), history.txn(i), out);
            out.flushIfFull();
        }
    }

    private static void writeTxn(HistorySlice slice, int txn, TextOutput out) {
        int first = slice.firstOpOf[txn];
        out.ascii("[");
        for (int op = first; op < slice.firstOpOf[txn + 1]; op++) {
            out.ascii(op > first ? " " : "");
            writeKey(slice, op, out);
            out.ascii(slice.kind[op] == OpKind.WRITE ? ":=" : "==");
            if (slice.kind[op] == OpKind.READ_NOTHING) {
                out.ascii("?");
            } else {
                out.number(slice.value[op]);
            }
        }
        out.ascii(slice.status[txn] == TxnStatus.COMMITTED ? "]\n" : "]!\n");
    }

    private static void writeKey(HistorySlice slice, int op, TextOutput out) {
        if (slice.keyType == ValueType.STRING) {
            int name = (int) slice.key[op];
            out.bytes(slice.keyNames.bytes(), slice.keyNames.firstByte(name), slice.keyNames.length(name));
        } else {
            out.number(slice.key[op]);
        }
    }
}
