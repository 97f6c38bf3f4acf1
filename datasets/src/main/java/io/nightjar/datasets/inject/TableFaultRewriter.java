package io.nightjar.datasets.inject;

import io.nightjar.datasets.inject.PlantedFault.Change;
import io.nightjar.datasets.workload.RecordedTxn;
import io.nightjar.datasets.workload.SliceRecorder;
import io.nightjar.datasets.workload.TxnRecorder;
import io.nightjar.datasets.workload.WorkloadKeys;
import io.nightjar.formats.history.OpKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Applies a plan of faults of predicate reads during the second pass of the history that it was made for. */
public final class TableFaultRewriter implements TxnRecorder {

    private static final int WIDTH = 10;

    private final WorkloadKeys keys;
    private final FaultPlan plan;
    private final TxnRecorder to;
    private final Map<Long, Planned> plannedOf = new HashMap<>(); // by transaction, of which each has one edit
    private final List<List<Change>> changesOf = new ArrayList<>();
    private long row;

    private record Planned(int site, TableEdit edit) {}

    public TableFaultRewriter(WorkloadKeys keys, FaultPlan plan, TxnRecorder to) {
        this.keys = keys;
        this.plan = plan;
        this.to = to;
        for (int site = 0; site < plan.sites.size(); site++) {
            changesOf.add(new ArrayList<>());
            for (TableEdit edit : plan.sites.get(site).tableEdits) {
                plannedOf.put(edit.txnId(), new Planned(site, edit));
            }
        }
    }

    @Override
    public void record(RecordedTxn txn) throws IOException {
        row++;
        Planned planned = plannedOf.get(txn.id == 0 ? row : txn.id);
        if (planned == null) {
            to.record(txn);
            return;
        }
        RecordedTxn changed = txn.copy();
        apply(changed, planned.edit(), changesOf.get(planned.site()));
        to.record(changed);
    }

    @Override
    public void finish() throws IOException {
        to.finish();
    }

    /** Returns the planted faults, in the order of {@link Fault} and then of victims. */
    public List<PlantedFault> planted() {
        List<PlantedFault> planted = new ArrayList<>();
        for (int site = 0; site < plan.sites.size(); site++) {
            FaultSite chosen = plan.sites.get(site);
            planted.add(new PlantedFault(
                    chosen.fault, chosen.transactions, chosen.key, changesOf.get(site), chosen.expected));
        }
        return planted;
    }

    private void apply(RecordedTxn txn, TableEdit edit, List<Change> changes) {
        if (edit instanceof TableEdit.Insert insert) {
            int predicateRead = txn.beginSelect(0, insert.minAmount(), insert.minAmount() + WIDTH - 1);
            txn.endSelect(predicateRead);
            txn.add(OpKind.WRITE, insert.key(), insert.amount(), insert.version());
            recordNew(txn, edit, predicateRead, changes);
            recordNew(txn, edit, predicateRead + 1, changes);
        } else if (edit instanceof TableEdit.Repeat repeat) {
            int predicateRead = txn.beginSelect(
                    txn.op(repeat.predicate()).key,
                    txn.op(repeat.predicate()).minAmount,
                    txn.op(repeat.predicate()).greatest);
            for (int returned = 1; returned <= txn.op(repeat.predicate()).rows; returned++) {
                int from = repeat.predicate() + returned;
                txn.add(OpKind.READ, txn.op(from).key, txn.op(from).amount, txn.op(from).version);
            }
            txn.add(OpKind.READ, repeat.key(), repeat.amount(), repeat.version());
            txn.endSelect(predicateRead);
            recordNew(txn, edit, predicateRead, changes);
        } else if (edit instanceof TableEdit.Remove remove) {
            String from = json(txn, remove.predicate());
            txn.remove(remove.row());
            txn.op(remove.predicate()).rows--;
            recordEdit(txn, edit, remove.predicate(), from, changes);
        } else if (edit instanceof TableEdit.Narrow narrow) {
            String from = json(txn, narrow.predicate());
            txn.op(narrow.predicate()).minAmount = narrow.minAmount();
            recordEdit(txn, edit, narrow.predicate(), from, changes);
        } else if (edit instanceof TableEdit.Replace replace) {
            String from = json(txn, replace.predicate());
            txn.op(replace.row()).amount = replace.amount();
            txn.op(replace.row()).version = replace.version();
            recordEdit(txn, edit, replace.predicate(), from, changes);
        } else if (edit instanceof TableEdit.Count count) {
            String from = json(txn, count.predicate());
            int rows = txn.op(count.predicate()).rows;
            for (int returned = 0; returned < rows; returned++) {
                txn.remove(count.predicate() + 1);
            }
            txn.count(count.predicate(), rows + 1L);
            recordEdit(txn, edit, count.predicate(), from, changes);
        } else {
            throw new AssertionError("bug: unknown edit: " + edit);
        }
    }

    private void recordNew(RecordedTxn txn, TableEdit edit, int op, List<Change> changes) {
        recordEdit(txn, edit, op, "null", changes);
    }

    private void recordEdit(RecordedTxn txn, TableEdit edit, int op, String from, List<Change> changes) {
        changes.add(new Change(edit.txnId(), op, "op", from, json(txn, op)));
    }

    /** Returns an operation as JSON Lines spells it, with its rows. */
    private String json(RecordedTxn txn, int op) {
        if (!OpKind.isPredicate(txn.op(op).kind)) {
            return "[\"" + OpKind.name(txn.op(op).kind) + "\",\"" + keys.name(txn.op(op).key) + "\","
                    + keys.row(txn.op(op).key, txn.op(op).amount, txn.op(op).version) + "]";
        }
        boolean isCount = txn.op(op).kind == OpKind.PREDICATE_ANSWER;
        StringBuilder rows = new StringBuilder();
        for (int returned = op + 1; returned <= op + txn.op(op).rows; returned++) {
            rows.append(rows.length() == 0 ? "" : ",").append(json(txn, returned));
        }
        return "[\"p\",\"" + (isCount ? "count(*) WHERE " : "") + SliceRecorder.condition(keys, txn.op(op)) + "\",["
                + txn.op(op).minAmount + "," + txn.op(op).greatest + "],[" + rows + "],{\"relation\":\""
                + keys.relation(txn.op(op).key) + "\"" + (isCount ? ",\"value\":" + txn.op(op).amount : "") + "}]";
    }
}
