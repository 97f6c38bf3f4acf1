package io.nightjar.formats.interop;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.text.TextOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Writes the bincode of dbcop as of 2019. Counts precede the data, so the history is first buffered in memory. */
final class DbcopBinary implements SessionText {

    private static final int EVENT_LENGTH = 2 * Long.BYTES + 2;
    private static final String[] TEXTS = {"written by nightjar", "1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"};

    private final FormatLimits fit = new FormatLimits("dbcop");
    private final ZeroAsInitial zero = new ZeroAsInitial(fit);
    private final ByteBuffer scratch = ByteBuffer.allocate(EVENT_LENGTH).order(ByteOrder.LITTLE_ENDIAN);

    @Override
    public void check(HistorySlice slice, int txn) {
        fit.check(slice, txn);
        zero.check(slice, txn);
    }

    @Override
    public void write(BufferedHistory history, TextOutput out) throws IOException {
        DbcopSize size = DbcopSize.of(history);
        writeNumber(out, 0);
        writeNumber(out, size.sessions());
        writeNumber(out, size.variables());
        writeNumber(out, size.maxSessionLength());
        writeNumber(out, size.maxTxnLength());
        for (String text : TEXTS) {
            writeNumber(out, text.length());
            out.ascii(text);
        }
        writeNumber(out, size.sessions());
        for (int i = 0; i < history.size(); ) {
            int end = history.endOfSession(i);
            writeNumber(out, end - i);
            for (; i < end; i++) {
                writeTxn(out, history.slice(i), history.txn(i));
                out.flushIfFull();
            }
        }
    }

    private void writeTxn(TextOutput out, HistorySlice slice, int txn) {
        int first = slice.firstOpOf[txn];
        int last = slice.firstOpOf[txn + 1];
        writeNumber(out, last - first);
        for (int op = first; op < last; op++) {
            scratch.clear();
            scratch.put((byte) (slice.kind[op] == OpKind.WRITE ? 1 : 0));
            scratch.putLong(slice.key[op]);
            scratch.putLong(slice.kind[op] == OpKind.READ_NOTHING ? 0 : slice.value[op]);
            scratch.put((byte) 1);
            out.bytes(scratch.array(), 0, EVENT_LENGTH);
        }
        out.text.put((byte) (slice.status[txn] == TxnStatus.COMMITTED ? 1 : 0));
    }

    private void writeNumber(TextOutput out, long number) {
        scratch.clear();
        scratch.putLong(number);
        out.bytes(scratch.array(), 0, Long.BYTES);
    }
}
