package io.nightjar.pipeline.check.timestamp;

import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.Axiom;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.Findings;
import io.nightjar.pipeline.partition.LaneOp;
import java.util.Map;
import java.util.Set;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/** Check of one lane against the axioms of every requested level: INT, EXT and NOCONFLICT. */
public final class LaneCheck {

    private final Lane lane;
    private final Map<IsolationLevel, Set<Axiom>> axioms;
    private final @Nullable String initialValue;
    private final PromotedTxns unknown;
    private final Findings findings;
    private int unjudgedKeys;
    private long ownReadsAtSnapshots;

    /**
     * @param axioms axioms of each requested level
     * @param initialValue the text of the value that means the initial state as null does, or null
     * @param unknown which unknown transactions count as committed
     * @param findings called for everything found
     */
    public LaneCheck(
            Lane lane,
            Map<IsolationLevel, Set<Axiom>> axioms,
            @Nullable String initialValue,
            PromotedTxns unknown,
            Findings findings) {
        this.lane = lane;
        this.axioms = axioms;
        this.initialValue = initialValue;
        this.unknown = unknown;
        this.findings = findings;
    }

    public void run() {
        leaveOutUnplaceable();
        unjudgedKeys = lane.dropUnjudged();
        if (axioms.containsKey(IsolationLevel.SNAPSHOT_ISOLATION)) {
            lane.promote(unknown.counted(IsolationLevel.SNAPSHOT_ISOLATION));
            checkSnapshots();
        }
        if (axioms.containsKey(IsolationLevel.COMMIT_ORDER_SERIALIZABLE)) {
            lane.promote(unknown.counted(IsolationLevel.COMMIT_ORDER_SERIALIZABLE));
            checkSerialOrder();
        }
    }

    /** Returns the number of keys that timestamps cannot check: sets, counters, keys used as register and list. */
    public int unjudgedKeys() {
        return unjudgedKeys;
    }

    private boolean demands(IsolationLevel level, Axiom axiom) {
        return axioms.getOrDefault(level, Set.of()).contains(axiom);
    }

    /** Excludes keys written at an unknown time, or perhaps not written. */
    private void leaveOutUnplaceable() {
        if (!lane.hasUnknown() || unknown.unplaceable() == 0) {
            return;
        }
        for (int txn = 0; txn < lane.txnCount(); txn++) {
            if (lane.status(txn) == TxnStatus.UNKNOWN
                    && unknown.isUnplaceable(lane.txnId().get(txn), lane.isPlaced(txn))) {
                for (int op = lane.firstOp().get(txn); op < lane.firstOp().get(txn + 1); op++) {
                    if (LaneOp.isEffective(lane.kind().get(op))) {
                        lane.leaveUnjudged(lane.key().get(op));
                    }
                }
            }
        }
    }

    private void checkSnapshots() {
        IsolationLevel level = IsolationLevel.SNAPSHOT_ISOLATION;
        EventOrder order = EventOrder.ofSnapshots(lane);
        Mismatches mismatches = new Mismatches(findings.limit());
        Mismatches ownReads = new Mismatches(findings.limit());
        KeyStates states = new KeyStates(lane, initialValue, mismatches, ownReads);
        SnapshotSweep sweep = new SnapshotSweep(lane, order, states);
        sweep.run();
        IntToLongFunction snapshotOf = lane.startTs()::get;
        if (demands(level, Axiom.EXT)) {
            reportFirstReads(level, order, states, mismatches, snapshotOf);
        }
        if (demands(level, Axiom.INT)) {
            reportOwnReads(level, order, states, ownReads, snapshotOf);
        }
        if (demands(level, Axiom.NOCONFLICT) && sweep.conflictPairs() > 0) {
            reportConflicts(order, sweep);
        }
    }

    private void checkSerialOrder() {
        IsolationLevel level = IsolationLevel.COMMIT_ORDER_SERIALIZABLE;
        EventOrder order = EventOrder.ofCommits(lane);
        Mismatches mismatches = new Mismatches(findings.limit());
        Mismatches ownReads = new Mismatches(findings.limit());
        KeyStates states = new KeyStates(lane, initialValue, mismatches, ownReads);
        new SerialSweep(order, states).run();
        IntToLongFunction snapshotOf = lane.commitTs()::get;
        if (demands(level, Axiom.EXT)) {
            reportFirstReads(level, order, states, mismatches, snapshotOf);
        }
        if (demands(level, Axiom.INT)) {
            reportOwnReads(level, order, states, ownReads, snapshotOf);
        }
    }

    private void reportFirstReads(
            IsolationLevel level,
            EventOrder order,
            KeyStates states,
            Mismatches mismatches,
            IntToLongFunction snapshotOf) {
        findings.count(level, Anomaly.EXT, mismatches.count());
        findings.countRows(mismatches.count());
        if (mismatches.kept() == 0) {
            return;
        }
        ReadDiagnosis diagnosis = diagnosis(level, order, states, mismatches);
        for (int i = 0; i < mismatches.kept(); i++) {
            long snapshot = snapshotOf.applyAsLong(mismatches.reader(i));
            findings.keep(snapshot, diagnosis.explainFirstRead(mismatches, i, snapshot));
        }
    }

    /**
     * Reports a read that contradicts its own transaction. It rules out both levels: one row, at the weaker level that
     * was checked.
     */
    private void reportOwnReads(
            IsolationLevel level,
            EventOrder order,
            KeyStates states,
            Mismatches ownReads,
            IntToLongFunction snapshotOf) {
        findings.count(level, Anomaly.INT, ownReads.count());
        findings.countRows(ownReads.count() - ownReadsAtSnapshots);
        ownReadsAtSnapshots = ownReads.count();
        if (ownReads.kept() == 0) {
            return;
        }
        ReadDiagnosis diagnosis = diagnosis(level, order, states, ownReads);
        for (int i = 0; i < ownReads.kept(); i++) {
            if (level == IsolationLevel.SNAPSHOT_ISOLATION || !isListedAtSnapshots(ownReads.reader(i))) {
                long snapshot = snapshotOf.applyAsLong(ownReads.reader(i));
                findings.keep(snapshot, diagnosis.explainOwnRead(ownReads, i, snapshot));
            }
        }
    }

    private boolean isListedAtSnapshots(int reader) {
        boolean startsAfterCommit = lane.startTs().get(reader) > lane.commitTs().get(reader);
        return demands(IsolationLevel.SNAPSHOT_ISOLATION, Axiom.INT) && !startsAfterCommit;
    }

    private ReadDiagnosis diagnosis(IsolationLevel level, EventOrder order, KeyStates states, Mismatches mismatches) {
        KeyWriters writers = new KeyWriters(lane, order, mismatches);
        return new ReadDiagnosis(lane, writers, states, new FindingMaker(lane, level));
    }

    private void reportConflicts(EventOrder order, SnapshotSweep sweep) {
        IsolationLevel level = IsolationLevel.SNAPSHOT_ISOLATION;
        findings.count(level, Anomaly.NOCONFLICT, sweep.conflictPairs());
        findings.countRows(sweep.conflictPairs());
        ConflictPairs pairs = new ConflictPairs(lane, order, sweep, findings.limit());
        pairs.run();
        FindingMaker maker = new FindingMaker(lane, level);
        for (int pair = 0; pair < pairs.count(); pair++) {
            long at = lane.commitTs().get(pairs.earlier(pair));
            findings.keep(at, maker.conflict(pairs.earlier(pair), pairs.later(pair), pairs.key(pair)));
        }
    }
}
