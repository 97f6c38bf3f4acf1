package io.nightjar.formats.interop;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.text.TextOutput;
import java.io.IOException;
import java.nio.file.Path;

/** Writes the text of Plume and PolySI, row by row; rejects operations that the format does not support. */
public final class PlumeWriter implements HistoryWriter {

    private final TextOutput out;
    private final FormatLimits fit = new FormatLimits("plume").neverEmpty();
    private final ZeroAsInitial zero = new ZeroAsInitial(fit);

    public PlumeWriter(Path file) throws IOException {
        this.out = new TextOutput(file);
    }

    @Override
    public void write(HistorySlice slice) throws IOException {
        for (int txn = 0; txn < slice.txnCount; txn++) {
            check(slice, txn);
            for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
                writeOp(slice, txn, op);
            }
            out.flushIfFull();
        }
    }

    @Override
    public void finish() throws IOException {
        if (out.isEmpty()) {
            out.ascii("\n"); // a reader would reject an empty file
        }
        out.finish();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }

    private void check(HistorySlice slice, int txn) {
        fit.check(slice, txn);
        zero.check(slice, txn);
        if (slice.status[txn] == TxnStatus.COMMITTED && slice.txnId[txn] < 0) {
            throw fit.unfit(slice, txn, "is negative", "it has negative numbers for aborted transactions only");
        }
        fit.checkOrder(slice, txn);
    }

    private void writeOp(HistorySlice slice, int txn, int op) {
        out.ascii(slice.kind[op] == OpKind.WRITE ? "w(" : "r(").number(slice.key[op]);
        out.ascii(",").number(slice.kind[op] == OpKind.READ_NOTHING ? 0 : slice.value[op]);
        out.ascii(",").number(slice.sessionId[txn]).ascii(",");
        out.number(slice.status[txn] == TxnStatus.COMMITTED ? slice.txnId[txn] : PlumeLine.ABORTED);
        out.ascii(")\n");
    }
}
