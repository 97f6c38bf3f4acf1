package io.nightjar.datasets.workload;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The record of one transaction as its client observed it. Reused for the next one. */
public final class RecordedTxn {

    /** 0 if it is called by its row. */
    public long id;

    public long session;
    public long seq;

    /** A {@code TxnStatus}. */
    public byte status;

    /** Timestamps and client times; {@code HistorySlice.NONE} for missing ones. */
    public long start;

    public long commit;
    public long invokeNs;
    public long completeNs;

    /** A JSON object with all other data; null if empty. */
    public @Nullable String extra;

    public int opCount;

    private final List<Op> ops = new ArrayList<>(); // those after the last one are reused

    /** One operation. */
    public static final class Op {

        /** An {@code OpKind}. */
        public byte kind;

        public int key;
        public long amount;

        /** The number of the write that made the value. */
        public long version;

        /** Number of writes of the row up to this write, and its transaction; {@code HistorySlice.NONE} if unknown. */
        public long rowVersion;

        public long writer;

        /** Bounds of a predicate read, and the number of following operations that are its rows. */
        public long minAmount;

        public long greatest;
        public int rows;

        /** How many rows a predicate read returns at most, those with the least amounts; 0 for all. */
        public int limit;

        /** The snapshot of a predicate read, {@code HistorySlice.NONE} if it is that of the transaction. */
        public long readTs;

        /** The elements that a read of a list returned. */
        public long @Nullable [] elements;

        private Op copy() {
            Op same = new Op();
            same.kind = kind;
            same.key = key;
            same.amount = amount;
            same.version = version;
            same.rowVersion = rowVersion;
            same.writer = writer;
            same.minAmount = minAmount;
            same.greatest = greatest;
            same.rows = rows;
            same.limit = limit;
            same.readTs = readTs;
            same.elements = elements;
            return same;
        }
    }

    public Op op(int index) {
        return ops.get(index);
    }

    public Op last() {
        return ops.get(opCount - 1);
    }

    public void clear() {
        opCount = 0;
        id = 0;
        extra = null;
        start = HistorySlice.NONE;
        commit = HistorySlice.NONE;
    }

    /** Returns a copy that may be stored. */
    public RecordedTxn copy() {
        RecordedTxn same = new RecordedTxn();
        same.id = id;
        same.session = session;
        same.seq = seq;
        same.status = status;
        same.start = start;
        same.commit = commit;
        same.invokeNs = invokeNs;
        same.completeNs = completeNs;
        same.extra = extra;
        same.opCount = opCount;
        ops.subList(0, opCount).forEach(op -> same.ops.add(op.copy()));
        return same;
    }

    public void add(byte opKind, int opKey, long opAmount, long opVersion) {
        if (opCount == ops.size()) {
            ops.add(new Op());
        }
        Op op = ops.get(opCount++);
        op.kind = opKind;
        op.key = opKey;
        op.amount = opAmount;
        op.version = opVersion;
        op.rowVersion = HistorySlice.NONE;
        op.writer = HistorySlice.NONE;
        op.elements = null;
    }

    /** Adds a predicate read of the rows from a key on; its rows follow, and {@link #endSelect} sets their number. */
    public int beginSelect(int firstKey, long fromAmount, long greatestAmount) {
        add(OpKind.PREDICATE, firstKey, 0, 0);
        Op select = last();
        select.minAmount = fromAmount;
        select.greatest = greatestAmount;
        select.readTs = HistorySlice.NONE;
        select.limit = 0;
        return opCount - 1;
    }

    /** Converts a predicate read whose rows were removed into one that only counted them. */
    public void count(int op, long answer) {
        ops.get(op).kind = OpKind.PREDICATE_ANSWER;
        ops.get(op).amount = answer;
        ops.get(op).rows = 0;
    }

    /** Removes an operation. */
    public void remove(int op) {
        opCount--;
        ops.add(ops.remove(op));
    }

    /** Ends a predicate read with the operations that follow it, which its limit may shorten. */
    public int endSelect(int op) {
        Op select = ops.get(op);
        while (select.limit > 0 && opCount - 1 - op > select.limit) {
            int greatestRow = op + 1;
            for (int row = op + 2; row < opCount; row++) {
                greatestRow = ops.get(row).amount >= ops.get(greatestRow).amount ? row : greatestRow;
            }
            remove(greatestRow);
        }
        select.rows = opCount - 1 - op;
        return select.rows;
    }
}
