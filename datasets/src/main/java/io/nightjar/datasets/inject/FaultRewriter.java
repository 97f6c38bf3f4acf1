package io.nightjar.datasets.inject;

import io.nightjar.datasets.inject.FaultPlan.PlannedEdit;
import io.nightjar.datasets.inject.PlantedFault.Change;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.ListRef;
import io.nightjar.formats.history.OpKind;
import java.util.ArrayList;
import java.util.List;

/** Applies a plan during the second pass of the history that it was made for. */
public final class FaultRewriter {

    private final FaultPlan plan;
    private final List<List<Change>> changesOf = new ArrayList<>();
    private int nextEdit;

    public FaultRewriter(FaultPlan plan) {
        this.plan = plan;
        for (int site = 0; site < plan.sites.size(); site++) {
            changesOf.add(new ArrayList<>());
        }
    }

    /**
     * Rewrites the victims among the next rows, in place: the slice must not be shared. Transaction ids are
     * consecutive.
     */
    public void rewrite(HistorySlice slice) {
        if (slice.txnCount == 0) {
            return;
        }
        long last = slice.txnId[slice.txnCount - 1];
        while (nextEdit < plan.edits.size() && plan.edits.get(nextEdit).edit().txnId() <= last) {
            PlannedEdit planned = plan.edits.get(nextEdit++);
            int txn = Math.toIntExact(planned.edit().txnId() - slice.txnId[0]);
            apply(slice, txn, planned.edit(), changesOf.get(planned.site()));
        }
    }

    /** Returns the planted faults, in the order of {@link Fault} and then of victims. */
    public List<PlantedFault> planted() {
        if (nextEdit < plan.edits.size()) {
            throw new IllegalStateException("history ended before its faults were planted: missing-txn="
                    + plan.edits.get(nextEdit).edit().txnId());
        }
        List<PlantedFault> planted = new ArrayList<>();
        for (int site = 0; site < plan.sites.size(); site++) {
            FaultSite chosen = plan.sites.get(site);
            planted.add(new PlantedFault(
                    chosen.fault, chosen.transactions, chosen.key, changesOf.get(site), chosen.expected));
        }
        return planted;
    }

    private static void apply(HistorySlice slice, int txn, TxnEdit edit, List<Change> changes) {
        if (edit instanceof TxnEdit.Timestamps moved) {
            setColumn(slice.startTs, txn, moved.start(), "start_ts", edit, changes);
            setColumn(slice.commitTs, txn, moved.commit(), "commit_ts", edit, changes);
        } else if (edit instanceof TxnEdit.Sequence renumbered) {
            setColumn(slice.sessionSeq, txn, renumbered.seq(), "session_seq", edit, changes);
        } else if (edit instanceof TxnEdit.Write write) {
            int op = slice.firstOpOf[txn] + write.op();
            String from = SliceJson.op(slice, op);
            slice.kind[op] = write.kind();
            slice.key[op] = write.key();
            slice.value[op] = write.value();
            changes.add(new Change(edit.txnId(), write.op(), "op", from, SliceJson.op(slice, op)));
        } else if (edit instanceof TxnEdit.Read read) {
            int op = slice.firstOpOf[txn] + read.op();
            String from = SliceJson.op(slice, op);
            setRead(slice, op, read);
            changes.add(new Change(edit.txnId(), read.op(), "op", from, SliceJson.op(slice, op)));
        } else {
            throw new AssertionError("bug: unknown edit: " + edit);
        }
    }

    private static void setColumn(long[] column, int txn, long to, String field, TxnEdit edit, List<Change> changes) {
        if (column[txn] != to) {
            changes.add(
                    new Change(edit.txnId(), Change.WHOLE_TXN, field, Long.toString(column[txn]), Long.toString(to)));
            column[txn] = to;
        }
    }

    private static void setRead(HistorySlice slice, int op, TxnEdit.Read read) {
        switch (read.outcome()) {
            case NOTHING -> {
                slice.kind[op] = OpKind.READ_NOTHING;
                slice.value[op] = 0;
            }
            case VALUE -> {
                slice.kind[op] = OpKind.READ;
                slice.value[op] = read.number();
            }
            case PREFIX -> slice.value[op] = ListRef.of(ListRef.list(slice.value[op]), (int) read.number());
            case EXTENDED -> {
                long ref = slice.kind[op] == OpKind.READ_LIST ? slice.value[op] : ListRef.of(0, 0);
                slice.value[op] = extended(slice, ref, read.number());
                slice.kind[op] = OpKind.READ_LIST;
            }
        }
        if (read.key() != HistorySlice.NONE) {
            slice.key[op] = read.key();
        }
    }

    private static long extended(HistorySlice slice, long ref, long element) {
        int length = ListRef.length(ref);
        long[] elements = new long[length + 1];
        for (int i = 0; i < length; i++) {
            elements[i] = slice.lists.element(ListRef.list(ref), i);
        }
        elements[length] = element;
        return ListRef.of(slice.lists.add(elements, 0, length + 1), length + 1);
    }
}
