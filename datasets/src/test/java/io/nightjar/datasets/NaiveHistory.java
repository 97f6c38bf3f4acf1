package io.nightjar.datasets;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.ListRef;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import java.util.ArrayList;
import java.util.List;

/** A history as plain objects, for tests that would rather be obvious than fast. */
public final class NaiveHistory {

    /** @param commit {@code HistorySlice.NONE} if it has none */
    public record Txn(long id, long session, long seq, byte status, long start, long commit, List<Op> ops) {

        public boolean isCommitted() {
            return status == TxnStatus.COMMITTED;
        }

        public boolean writes(String key) {
            return ops.stream().anyMatch(op -> op.isWrite() && op.key().equals(key));
        }

        public boolean isReadOnly() {
            return ops.stream().noneMatch(Op::isWrite);
        }
    }

    /**
     * @param value the value read or written; null for the initial state
     * @param elements of a list read, else null
     */
    public record Op(byte kind, String key, Long value, List<Long> elements) {

        public boolean isWrite() {
            return OpKind.isWrite(kind);
        }
    }

    public final List<Txn> txns = new ArrayList<>();
    public final List<HistorySlice> slices = new ArrayList<>();
    public boolean isList;

    public void add(HistorySlice slice) {
        slices.add(slice);
        for (int txn = 0; txn < slice.txnCount; txn++) {
            List<Op> ops = new ArrayList<>();
            for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
                ops.add(op(slice, op));
            }
            txns.add(new Txn(
                    slice.txnId[txn],
                    slice.sessionId[txn],
                    slice.sessionSeq[txn],
                    slice.status[txn],
                    slice.startTs[txn],
                    slice.commitTs[txn],
                    ops));
        }
    }

    private Op op(HistorySlice slice, int op) {
        String key = slice.keyText(op);
        byte kind = slice.kind[op];
        isList |= kind == OpKind.APPEND || kind == OpKind.READ_LIST;
        if (kind == OpKind.READ_NOTHING) {
            return new Op(kind, key, null, null);
        }
        if (kind != OpKind.READ_LIST) {
            return new Op(kind, key, slice.value[op], null);
        }
        List<Long> elements = new ArrayList<>();
        for (int i = 0; i < ListRef.length(slice.value[op]); i++) {
            elements.add(slice.lists.element(ListRef.list(slice.value[op]), i));
        }
        return new Op(kind, key, null, elements);
    }
}
