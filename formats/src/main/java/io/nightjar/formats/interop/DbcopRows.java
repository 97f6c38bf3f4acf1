package io.nightjar.formats.interop;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.RowSliceBuilder;
import java.io.IOException;
import java.nio.file.Path;

/** Reads the bincode of dbcop as of 2019. */
final class DbcopRows implements InteropRowReader {

    /*
     * Layout. All integers are u64, little-endian; a bool is a byte:
     *
     *   id, nodes, variables, transactions, events      parameters of the generator, not counts of the data
     *   info, start, end                                strings: length, UTF-8
     *   sessions { transactions { events { is-write, variable, value, success }, success } }
     *                                                   each {} begins with its count
     */

    private static final int COUNTS = 5;
    private static final int TEXTS = 3;

    private final RowSliceBuilder sink;
    private final BinaryInput in;
    private long row;
    private long session = -1;
    private long sessionsLeft;
    private long txnsLeft;
    private boolean isBegun;

    DbcopRows(Path file, RowSliceBuilder sink) throws IOException {
        this.sink = sink;
        this.in = new BinaryInput(file);
    }

    @Override
    public boolean advance() throws IOException {
        if (!isBegun) {
            readHeader();
            isBegun = true;
        }
        while (txnsLeft == 0) {
            if (sessionsLeft == 0) {
                if (in.read() != BinaryInput.END) {
                    throw BadRowException.of("bytes after the last session").with(in.location(1));
                }
                return false;
            }
            sessionsLeft--;
            session++;
            txnsLeft = count("the number of transactions");
        }
        txnsLeft--;
        readTxn();
        return true;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    private void readHeader() throws IOException {
        for (int i = 0; i < COUNTS; i++) {
            in.readLittleEndian("the header");
        }
        for (int i = 0; i < TEXTS; i++) {
            in.skip(count("the length of a string"), "a string");
        }
        sessionsLeft = count("the number of sessions");
    }

    private void readTxn() throws IOException {
        sink.beginRow(++row);
        long events = count("the number of events");
        for (long event = 0; event < events; event++) {
            boolean isWrite = bool("whether it is a write");
            long key = number("variable");
            long value = number("value");
            boolean isSuccess = bool("whether the event succeeded");
            if (isSuccess) {
                sink.ops().op(isWrite ? OpKind.WRITE : OpKind.READ, sink.key(key), sink.value(value));
            }
        }
        boolean isCommitted = bool("whether the transaction succeeded");
        sink.beginTxn(sink.position(), session, sink.positionIn(session))
                .status(isCommitted ? TxnStatus.COMMITTED : TxnStatus.ABORTED);
        sink.endRow(null);
    }

    private long count(String what) throws IOException {
        long count = in.readLittleEndian(what);
        if (count < 0) {
            throw BadRowException.of("impossible count")
                    .with("expected=%s found=%s %s", what, Long.toUnsignedString(count), in.location(Long.BYTES));
        }
        return count;
    }

    private long number(String what) throws IOException {
        long number = in.readLittleEndian(what);
        if (number < 0) {
            throw BadRowException.of("number does not fit int64")
                    .with("%s=%s %s", what, Long.toUnsignedString(number), in.location(Long.BYTES));
        }
        return number;
    }

    private boolean bool(String what) throws IOException {
        int b = in.readByte(what);
        if (b > 1) {
            throw BadRowException.of("neither 0 nor 1").with("expected=%s found=%d %s", what, b, in.location(1));
        }
        return b == 1;
    }
}
