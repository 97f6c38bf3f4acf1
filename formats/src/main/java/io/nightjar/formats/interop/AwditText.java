package io.nightjar.formats.interop;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.text.TextOutput;
import java.io.IOException;

/** Writes the text of AWDIT's tests. */
final class AwditText implements SessionText {

    private final FormatLimits fit = new FormatLimits("awdit").committedOnly().neverEmpty();

    @Override
    public void check(HistorySlice slice, int txn) {
        fit.check(slice, txn);
        for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
            if (slice.kind[op] == OpKind.READ_NOTHING) {
                throw fit.unfit(slice, txn, "key=%d read as the initial state".formatted(slice.key[op]), "it has none");
            }
        }
    }

    @Override
    public void write(BufferedHistory history, TextOutput out) throws IOException {
        if (history.size() == 0) {
            out.ascii("=====\n");
        }
        for (int i = 0; i < history.size(); i++) {
            if (i > 0) {
                out.ascii(history.session(i) == history.session(i - 1) ? "-----\n" : "=====\n");
            }
            writeOps(history.slice(i), history.txn(i), out);
            out.flushIfFull();
        }
    }

    private static void writeOps(HistorySlice slice, int txn, TextOutput out) {
        for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
            out.ascii(slice.kind[op] == OpKind.WRITE ? "w " : "r ").number(slice.key[op]);
            out.ascii(" ").number(slice.value[op]).ascii("\n");
        }
    }
}
