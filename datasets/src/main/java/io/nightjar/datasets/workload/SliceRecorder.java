package io.nightjar.datasets.workload;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.SliceConsumer;
import java.io.IOException;

/** Makes slices of the recorded transactions; ids count from 1. */
public final class SliceRecorder implements TxnRecorder {

    private static final int OPS_PER_SLICE = 1 << 16;
    private static final int TXNS_PER_SLICE = 1 << 12;

    private final WorkloadKeys keys;
    private final SliceConsumer target;
    private SliceBuilder slice;
    private long row;
    private boolean omitsVersions;

    public SliceRecorder(WorkloadKeys keys, SliceConsumer target) {
        this.keys = keys;
        this.target = target;
        this.slice = new SliceBuilder("generated");
    }

    /** Omits the versions of rows, and their numbers in rows, so that rows repeat. */
    public SliceRecorder withoutVersions() {
        omitsVersions = true;
        return this;
    }

    @Override
    public void record(RecordedTxn txn) throws IOException {
        row++;
        slice.beginTxn(row, txn.id == 0 ? row : txn.id, txn.session, txn.seq);
        slice.status(txn.status);
        slice.timestamps(txn.start, txn.commit);
        slice.clientTimes(txn.invokeNs, txn.completeNs);
        slice.extra(txn.extra);
        for (int op = 0; op < txn.opCount; op++) {
            operation(txn.op(op));
        }
        slice.endTxn();
        if (slice.txnCount() == TXNS_PER_SLICE || slice.weight() >= OPS_PER_SLICE) {
            finish();
        }
    }

    private void operation(RecordedTxn.Op op) {
        if (OpKind.isPredicate(op.kind)) {
            select(op);
            return;
        }
        long key = key(op.key);
        if (op.kind == OpKind.READ_LIST) {
            slice.valuesAreLongs();
            slice.beginList();
            for (long element : requireNonNull(op.elements)) {
                slice.element(element);
            }
            slice.listRead(key);
        } else {
            slice.op(op.kind, key, value(op));
        }
        if (op.rowVersion != HistorySlice.NONE && !omitsVersions) {
            slice.version(op.rowVersion);
        }
        if (op.writer != HistorySlice.NONE && !omitsVersions) {
            slice.writerTxn(op.writer);
        }
    }

    private void select(RecordedTxn.Op op) {
        slice.keysAreStrings();
        slice.valuesAreStrings();
        boolean isCount = op.kind == OpKind.PREDICATE_ANSWER;
        long answer = isCount ? slice.valueNames().intern(Long.toString(op.amount)) : 0;
        slice.op(op.kind, slice.keyNames().intern(keys.relation(op.key)), answer);
        slice.opText(HistoryColumn.PREDICATE, (isCount ? "count(*) WHERE " : "") + condition(keys, op));
        slice.opText(HistoryColumn.PARAMS, "[" + op.minAmount + "," + op.greatest + "]");
        slice.opNumber(HistoryColumn.ROWS, op.rows);
        if (op.limit > 0) {
            slice.opNumber(HistoryColumn.LIMIT, op.limit);
            slice.opText(HistoryColumn.ORDER, requireNonNull(keys.column(op.key)));
        }
        if (op.readTs != HistorySlice.NONE) {
            slice.opNumber(HistoryColumn.READ_TS, op.readTs);
        }
    }

    /** Returns the condition of a predicate read. */
    public static String condition(WorkloadKeys keys, RecordedTxn.Op op) {
        String column = keys.column(op.key);
        return column + " >= ? AND " + column + " <= ?";
    }

    private long key(int key) {
        if (keys.areNumbers()) {
            slice.keysAreLongs();
            return key;
        }
        slice.keysAreStrings();
        return slice.keyNames().intern(keys.name(key));
    }

    private long value(RecordedTxn.Op op) {
        if (!OpKind.hasValue(op.kind)) {
            return 0;
        }
        if (keys.areNumbers()) {
            slice.valuesAreLongs();
            return op.version;
        }
        slice.valuesAreStrings();
        return slice.valueNames().intern(keys.row(op.key, op.amount, omitsVersions ? HistorySlice.NONE : op.version));
    }

    @Override
    public void finish() throws IOException {
        if (slice.txnCount() > 0) {
            target.accept(slice.build());
            slice = new SliceBuilder("generated");
        }
    }
}
