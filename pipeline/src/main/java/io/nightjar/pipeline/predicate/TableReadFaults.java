package io.nightjar.pipeline.predicate;

import io.nightjar.formats.finding.EdgeReason.OfRows;
import io.nightjar.formats.finding.EdgeReason.RowFact;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Finding.Participant;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.EdgeEvidence;
import io.nightjar.formats.level.EdgeType;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes findings of reads that no dependency can be made of. */
final class TableReadFaults implements TableDependencies.Faults {

    /** A read that is an anomaly independent of the rest of the history. */
    record Fault(Anomaly anomaly, int txn, Supplier<Finding> finding) {}

    private final TableHistory history;
    private final TableVersions versions;
    private final TableFindings made;
    private final UndecidedReasons doubts;
    private final List<Fault> faults = new ArrayList<>();
    private final AbortedWrites aborted;
    private @Nullable LongOpenHashSet written; // by key and row; null until requested

    TableReadFaults(TableHistory history, TableVersions versions, TableFindings made, UndecidedReasons doubts) {
        this.history = history;
        this.versions = versions;
        this.made = made;
        this.doubts = doubts;
        this.aborted = new AbortedWrites(history);
    }

    List<Fault> all() {
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
                    addInternal(txn, op, written);
                }
                if (isRead && written < 0 && isOwn(txn, op)) {
                    addTooEarly(txn, op);
                }
                own.take(op);
            }
        }
    }

    private boolean isOwn(int txn, int op) {
        int slot = versions.slotOfRead(op);
        return slot >= 0 && versions.txnOf[slot] == txn;
    }

    private void addTooEarly(int txn, int op) {
        OfRows why = new OfRows(RowFact.READ_TOO_EARLY);
        faults.add(new Fault(
                Anomaly.FUTURE_READ,
                txn,
                () -> made.readFinding(
                        null, Anomaly.FUTURE_READ, txn, op, TableVersions.UNBORN, EdgeEvidence.VERSION, why)));
    }

    private void addInternal(int txn, int op, int written) {
        faults.add(new Fault(
                Anomaly.INTERNAL,
                txn,
                () -> made.readFinding(null, Anomaly.INTERNAL, txn, op, written, EdgeEvidence.VERSION, null)));
    }

    @Override
    public void invalidRead(int txn, int op, int slot) {
        String key = history.keyName(history.key[op]);
        if (slot >= 0) {
            faults.add(new Fault(Anomaly.G1B, txn, () -> intermediateRead(txn, op, slot)));
            return;
        }
        int writer = aborted.writerOf(op);
        if (writer >= 0) {
            faults.add(new Fault(Anomaly.G1A, txn, () -> abortedRead(txn, op, writer)));
            return;
        }
        String row = history.valueText(history.value[op]);
        if (row != null && !isWritten(op)) {
            faults.add(new Fault(Anomaly.GARBAGE_READ, txn, () -> garbage(txn, op)));
            return;
        }
        doubts.add("version read without a writer: key=" + key, history.locationOf(txn));
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

    private Finding garbage(int txn, int op) {
        RowFact fact = OpKind.isRead(history.kind[op]) ? RowFact.READ_UNWRITTEN : RowFact.LOOKED_AT_UNWRITTEN;
        OfRows why = new OfRows(fact);
        return made.readFinding(null, Anomaly.GARBAGE_READ, txn, op, TableVersions.UNBORN, EdgeEvidence.VERSION, why);
    }

    private Finding intermediateRead(int txn, int op, int slot) {
        OfRows why = new OfRows(OpKind.isRead(history.kind[op]) ? RowFact.READ_REPLACED : RowFact.LOOKED_AT_REPLACED);
        return made.readFinding(null, Anomaly.G1B, txn, op, slot, EdgeEvidence.VERSION, why);
    }

    private Finding abortedRead(int txn, int op, int writer) {
        RowFact fact = OpKind.isRead(history.kind[op]) ? RowFact.READ_ABORTED : RowFact.LOOKED_AT_ABORTED;
        OfRows why = new OfRows(fact, history.txnId[writer], null);
        return made.readFinding(null, Anomaly.G1A, txn, op, TableVersions.UNBORN, EdgeEvidence.VERSION, why);
    }

    @Override
    public void miss(int txn, int op, int key) {
        faults.add(new Fault(Anomaly.PREDICATE_READ_MISS, txn, () -> missed(txn, op, key)));
    }

    private Finding missed(int txn, int op, int key) {
        String name = history.keyName(key);
        int first = versions.firstOf[key];
        int writer = versions.txnOf[first];
        List<Participant> participants = new ArrayList<>();
        participants.add(made.participant(txn, Role.READER));
        if (writer != txn) {
            participants.add(made.participant(writer, Role.EXPECTED_WRITER));
        }
        String row = history.valueText(versions.valueOf(first));
        long writerId = history.txnId[writer];
        Edge edge = new Edge(
                        writerId,
                        history.txnId[txn],
                        EdgeType.WR,
                        name,
                        row,
                        null,
                        EdgeEvidence.VERSION,
                        new OfRows(RowFact.MISSED_ALWAYS))
                .ofPredicate(history.conditionText(op));
        return TableFindings.finding(
                Anomaly.PREDICATE_READ_MISS,
                null,
                name,
                participants,
                new Expectation(row, writerId, null, null, null),
                List.of(edge));
    }

    @Override
    public void ownMissed(int txn, int op, int key, int own) {
        faults.add(new Fault(Anomaly.INTERNAL, txn, () -> missedOwn(txn, op, key, own)));
    }

    private Finding missedOwn(int txn, int op, int key, int own) {
        String name = history.keyName(key);
        String row = history.valueText(versions.valueOf(own));
        long id = history.txnId[txn];
        return TableFindings.finding(
                Anomaly.INTERNAL,
                null,
                name,
                List.of(made.participant(txn, Role.READER)),
                new Expectation(row, id, null, null, null),
                List.of(new Edge(
                                id,
                                id,
                                EdgeType.WR,
                                name,
                                row,
                                null,
                                EdgeEvidence.VERSION,
                                new OfRows(RowFact.MISSED_OWN))
                        .ofPredicate(history.conditionText(op))));
    }

    @Override
    public void noMatch(int txn, int op, int row) {
        faults.add(new Fault(Anomaly.GARBAGE_READ, txn, () -> unmatchedRow(txn, op, row)));
    }

    private Finding unmatchedRow(int txn, int op, int row) {
        OfRows why = new OfRows(RowFact.RETURNED_UNMATCHED);
        Finding read = made.readFinding(
                null, Anomaly.GARBAGE_READ, txn, row, versions.slotOfRead(row), EdgeEvidence.VERSION, why);
        return TableFindings.finding(
                read.anomaly(),
                null,
                read.key(),
                read.participants(),
                read.expectation(),
                List.of(read.edges().get(0).ofPredicate(history.conditionText(op))));
    }
}
