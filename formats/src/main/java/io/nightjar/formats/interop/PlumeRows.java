package io.nightjar.formats.interop;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.text.BadRowException;
import io.nightjar.formats.text.LineReader;
import io.nightjar.formats.text.RowSliceBuilder;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Reader of the text of Plume and PolySI, where the operations of a transaction may be scattered over the file: buffers
 * the whole file, 24 bytes per operation, and returns transactions in the order of appearance.
 */
final class PlumeRows implements InteropRowReader {

    private static final int NONE = -1;

    private final RowSliceBuilder sink;
    private final Path file;
    private boolean isGathered;

    // Arrays by operation; nextOp links the operations of one transaction.
    private final LongArrayList keyOf = new LongArrayList();
    private final LongArrayList valueOf = new LongArrayList();
    private final IntArrayList nextOp = new IntArrayList();
    private final IntArrayList isWrite = new IntArrayList();

    // Arrays by transaction, in the order of appearance; sameId links transactions with the same number in several
    // sessions.
    private final LongArrayList idOf = new LongArrayList();
    private final LongArrayList sessionOf = new LongArrayList();
    private final LongArrayList lineOf = new LongArrayList();
    private final IntArrayList firstOp = new IntArrayList();
    private final IntArrayList lastOp = new IntArrayList();
    private final IntArrayList sameId = new IntArrayList();
    private final Long2IntOpenHashMap latestOf = new Long2IntOpenHashMap();

    private int next;
    private long abortedSeen;

    PlumeRows(Path file, RowSliceBuilder sink) {
        this.file = file;
        this.sink = sink;
        latestOf.defaultReturnValue(NONE);
    }

    @Override
    public boolean advance() throws IOException {
        if (!isGathered) {
            gather();
            isGathered = true;
        }
        if (next == idOf.size()) {
            return false;
        }
        sink.beginRow(lineOf.getLong(next));
        for (int op = firstOp.getInt(next); op != NONE; op = nextOp.getInt(op)) {
            byte kind = isWrite.getInt(op) == 1 ? OpKind.WRITE : OpKind.READ;
            sink.ops().op(kind, sink.key(keyOf.getLong(op)), sink.value(valueOf.getLong(op)));
        }
        long session = sessionOf.getLong(next);
        long id = idOf.getLong(next);
        boolean isAborted = id == PlumeLine.ABORTED;
        sink.beginTxn(isAborted ? - ++abortedSeen : id, session, sink.positionIn(session))
                .status(isAborted ? TxnStatus.ABORTED : TxnStatus.COMMITTED);
        sink.endRow(null);
        next++;
        return true;
    }

    @Override
    public void close() {
        // the file is closed after buffering
    }

    private void gather() throws IOException {
        PlumeLine line = new PlumeLine();
        int last = NONE;
        try (LineReader lines = new LineReader(file)) {
            while (lines.advance()) {
                try {
                    if (!line.read(lines)) {
                        continue;
                    }
                } catch (BadRowException bad) {
                    sink.refuseLine(lines.line(), bad.fault(), lines.text(RowSliceBuilder.RAW_LENGTH));
                    continue;
                }
                last = txnOf(line, last, lines.line());
                add(line, last);
            }
        }
    }

    private int txnOf(PlumeLine line, int last, long number) {
        if (last != NONE && idOf.getLong(last) == line.txn && sessionOf.getLong(last) == line.session) {
            return last;
        }
        boolean isAborted = line.txn == PlumeLine.ABORTED;
        int latest = isAborted ? NONE : latestOf.get(line.txn);
        for (int txn = latest; txn != NONE; txn = sameId.getInt(txn)) {
            if (sessionOf.getLong(txn) == line.session) {
                return txn;
            }
        }
        int txn = idOf.size();
        idOf.add(line.txn);
        sessionOf.add(line.session);
        lineOf.add(number);
        firstOp.add(NONE);
        lastOp.add(NONE);
        sameId.add(latest);
        if (!isAborted) {
            latestOf.put(line.txn, txn);
        }
        return txn;
    }

    private void add(PlumeLine line, int txn) {
        int op = keyOf.size();
        keyOf.add(line.key);
        valueOf.add(line.value);
        isWrite.add(line.isWrite ? 1 : 0);
        nextOp.add(NONE);
        int before = lastOp.getInt(txn);
        if (before == NONE) {
            firstOp.set(txn, op);
        } else {
            nextOp.set(before, op);
        }
        lastOp.set(txn, op);
    }
}
