package io.nightjar.pipeline.predicate;

import io.nightjar.formats.finding.EdgeReason.OfRows;
import io.nightjar.formats.finding.EdgeReason.RowFact;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.Anomaly;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collector of reads that no dependency can be made of: each is an anomaly independent of the rest of the history. */
final class TableReadFaults implements TableDependencies.Faults {

    private final TableHistory history;
    private final TableVersions versions;
    private final UndecidedReasons doubts;
    private final List<RowFault> faults = new ArrayList<>();
    private final AbortedWrites aborted;
    private @Nullable LongOpenHashSet written; // by key and row; null until requested

    TableReadFaults(TableHistory history, TableVersions versions, UndecidedReasons doubts) {
        this.history = history;
        this.versions = versions;
        this.doubts = doubts;
        this.aborted = new AbortedWrites(history);
    }

    List<RowFault> all() {
        return faults;
    }

    /** Records reads that do not return the transaction's own previous write, or that return its later write. */
    void addOwn() {
        OwnWrites own = new OwnWrites(history, versions);
        for (int txn = 0; txn < history.txnCount; txn++) {
            if (history.status[txn] != TxnStatus.COMMITTED) {
                continue;
            }
            own.begin();
            for (int op = history.firstOpOf[txn]; op < history.firstOpOf[txn + 1]; op++) {
                boolean isRead = OpKind.isRead(history.kind[op]) && !OpKind.isPredicate(history.kind[op]);
                int written = isRead ? own.of(history.key[op]) : TableVersions.NOWHERE;
                if (written >= 0 && !versions.isSame(op, written)) {
                    addRead(Anomaly.INTERNAL, txn, op, written, null);
                }
                if (isRead && written < 0 && isOwn(txn, op)) {
                    addRead(Anomaly.FUTURE_READ, txn, op, TableVersions.UNBORN, new OfRows(RowFact.READ_TOO_EARLY));
                }
                own.take(op);
            }
        }
    }

    private boolean isOwn(int txn, int op) {
        int slot = versions.slotOfRead(op);
        return slot >= 0 && versions.txnOf[slot] == txn;
    }

    private void addRead(Anomaly anomaly, int txn, int op, int expectedSlot, @Nullable OfRows why) {
        faults.add(new RowFault(anomaly, txn, history.key[op], op, expectedSlot, TableHistory.NONE, why));
    }

    @Override
    public void invalidRead(int txn, int op, int slot) {
        boolean isRead = OpKind.isRead(history.kind[op]);
        int writer = slot >= 0 ? TableHistory.NONE : aborted.writerOf(op);
        if (slot >= 0) {
            RowFact fact = isRead ? RowFact.READ_REPLACED : RowFact.LOOKED_AT_REPLACED;
            addRead(Anomaly.G1B, txn, op, slot, new OfRows(fact));
        } else if (writer >= 0) {
            RowFact fact = isRead ? RowFact.READ_ABORTED : RowFact.LOOKED_AT_ABORTED;
            addRead(Anomaly.G1A, txn, op, TableVersions.UNBORN, new OfRows(fact, history.txnId[writer], null));
        } else if (history.valueText(history.value[op]) != null && !isWritten(op)) {
            RowFact fact = isRead ? RowFact.READ_UNWRITTEN : RowFact.LOOKED_AT_UNWRITTEN;
            addRead(Anomaly.GARBAGE_READ, txn, op, TableVersions.UNBORN, new OfRows(fact));
        } else {
            doubts.add(
                    "version read without a writer: key=" + history.keyName(history.key[op]), history.locationOf(txn));
        }
    }

    /** Returns whether a transaction of any outcome wrote the row that was read. */
    private boolean isWritten(int op) {
        if (written == null) {
            written = new LongOpenHashSet();
            for (int write = 0; write < history.opCount; write++) {
                if (TableVersions.isWrite(history.kind[write])) {
                    written.add((long) history.key[write] << 32 | history.value[write] & 0xFFFFFFFFL);
                }
            }
        }
        return written.contains((long) history.key[op] << 32 | history.value[op] & 0xFFFFFFFFL);
    }

    @Override
    public void miss(int txn, int op, int key) {
        addMissed(Anomaly.PREDICATE_READ_MISS, txn, op, key, versions.firstOf[key], RowFact.MISSED_ALWAYS);
    }

    @Override
    public void ownMissed(int txn, int op, int key, int own) {
        addMissed(Anomaly.INTERNAL, txn, op, key, own, RowFact.MISSED_OWN);
    }

    private void addMissed(Anomaly anomaly, int txn, int op, int key, int slot, RowFact fact) {
        faults.add(new RowFault(anomaly, txn, key, TableHistory.NONE, slot, op, new OfRows(fact)));
    }

    @Override
    public void noMatch(int txn, int op, int row) {
        OfRows why = new OfRows(RowFact.RETURNED_UNMATCHED);
        int slot = versions.slotOfRead(row);
        faults.add(new RowFault(Anomaly.GARBAGE_READ, txn, history.key[row], row, slot, op, why));
    }
}
