package io.nightjar.datasets.workload;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import java.io.IOException;

/** Makes slices of the recorded transactions; ids count from 1. */
public final class SliceRecorder implements TxnRecorder {

    private static final int OPS_PER_SLICE = 1 << 16;
    private static final int TXNS_PER_SLICE = 1 << 12;

    /** Consumer of slices in order. */
    @FunctionalInterface
    public interface Target {
        void accept(HistorySlice slice) throws IOException;
    }

    private final WorkloadKeys keys;
    private final Target target;
    private SliceBuilder slice;
    private long row;
    private boolean omitsVersions;

    public SliceRecorder(WorkloadKeys keys, Target target) {
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
            operation(txn, op);
        }
        slice.endTxn();
        if (slice.txnCount() == TXNS_PER_SLICE || slice.weight() >= OPS_PER_SLICE) {
            finish();
        }
    }

    private void operation(RecordedTxn txn, int op) {
        if (OpKind.isPredicate(txn.kind[op])) {
            select(txn, op);
            return;
        }
        long key = key(txn.key[op]);
        if (txn.kind[op] == OpKind.READ_LIST) {
            slice.valuesAreLongs();
            slice.beginList();
            for (long element : txn.elements[op]) {
                slice.element(element);
            }
            slice.listRead(key);
        } else {
            slice.op(txn.kind[op], key, value(txn, op));
        }
        if (txn.rowVersion[op] != HistorySlice.NONE && !omitsVersions) {
            slice.version(txn.rowVersion[op]);
        }
        if (txn.writer[op] != HistorySlice.NONE && !omitsVersions) {
            slice.writerTxn(txn.writer[op]);
        }
    }

    private void select(RecordedTxn txn, int op) {
        slice.keysAreStrings();
        slice.valuesAreStrings();
        boolean isCount = txn.kind[op] == OpKind.PREDICATE_ANSWER;
        long answer = isCount ? slice.valueNames().intern(Long.toString(txn.amount[op])) : 0;
        slice.op(txn.kind[op], slice.keyNames().intern(keys.relation(txn.key[op])), answer);
        slice.opText(HistoryColumn.PREDICATE, (isCount ? "count(*) WHERE " : "") + condition(keys, txn, op));
        slice.opText(HistoryColumn.PARAMS, "[" + txn.minAmount[op] + "," + txn.greatest[op] + "]");
        slice.opNumber(HistoryColumn.ROWS, txn.rows[op]);
        if (txn.limit[op] > 0) {
            slice.opNumber(HistoryColumn.LIMIT, txn.limit[op]);
            slice.opText(HistoryColumn.ORDER, requireNonNull(keys.column(txn.key[op])));
        }
        if (txn.readTs[op] != HistorySlice.NONE) {
            slice.opNumber(HistoryColumn.READ_TS, txn.readTs[op]);
        }
    }

    /** Returns the condition of a predicate read. */
    public static String condition(WorkloadKeys keys, RecordedTxn txn, int op) {
        String column = keys.column(txn.key[op]);
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

    private long value(RecordedTxn txn, int op) {
        if (!OpKind.hasValue(txn.kind[op])) {
            return 0;
        }
        if (keys.areNumbers()) {
            slice.valuesAreLongs();
            return txn.version[op];
        }
        slice.valuesAreStrings();
        return slice.valueNames()
                .intern(keys.row(txn.key[op], txn.amount[op], omitsVersions ? HistorySlice.NONE : txn.version[op]));
    }

    @Override
    public void finish() throws IOException {
        if (slice.txnCount() > 0) {
            target.accept(slice.build());
            slice = new SliceBuilder("generated");
        }
    }
}
