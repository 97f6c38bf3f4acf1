package io.nightjar.formats.interop;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.text.TextOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/** Writes the bincode of dbcop as of 2019. Counts precede the data, so the history is first buffered in memory. */
public final class DbcopWriter implements HistoryWriter {

    private static final int EVENT_LENGTH = 2 * Long.BYTES + 2;
    private static final String[] TEXTS = {"written by nightjar", "1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"};

    private final TextOutput out;
    private final FormatLimits fit = new FormatLimits("dbcop");
    private final ZeroAsInitial zero = new ZeroAsInitial(fit);
    private final BufferedHistory history = new BufferedHistory();
    private final ByteBuffer scratch = ByteBuffer.allocate(EVENT_LENGTH).order(ByteOrder.LITTLE_ENDIAN);

    public DbcopWriter(Path file) throws IOException {
        this.out = new TextOutput(file);
    }

    @Override
    public void write(HistorySlice slice) {
        for (int txn = 0; txn < slice.txnCount; txn++) {
            fit.check(slice, txn);
            zero.check(slice, txn);
        }
        history.add(slice);
    }

    @Override
    public void finish() throws IOException {
        history.sort();
        DbcopSize size = DbcopSize.of(history);
        writeNumber(0);
        writeNumber(size.sessions());
        writeNumber(size.variables());
        writeNumber(size.maxSessionLength());
        writeNumber(size.maxTxnLength());
        for (String text : TEXTS) {
            writeNumber(text.length());
            out.ascii(text);
        }
        writeNumber(size.sessions());
        for (int i = 0; i < history.size(); ) {
            int end = history.endOfSession(i);
            writeNumber(end - i);
            for (; i < end; i++) {
                writeTxn(history.slice(i), history.txn(i));
                out.flushIfFull();
            }
        }
        out.finish();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }

    private void writeTxn(HistorySlice slice, int txn) {
        int first = slice.firstOpOf[txn];
        int last = slice.firstOpOf[txn + 1];
        writeNumber(last - first);
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

    private void writeNumber(long number) {
        scratch.clear();
        scratch.putLong(number);
        out.bytes(scratch.array(), 0, Long.BYTES);
    }
}
