package io.nightjar.pipeline.check.timestamp;

import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.Axiom;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.split.LaneOp;
import java.util.Map;
import java.util.Set;
import java.util.function.IntToLongFunction;

/** Checks one lane against the axioms of every level asked for: INT, EXT and NOCONFLICT. */
public final class LaneCheck {

    private final Lane lane;
    private final Map<IsolationLevel, Set<Axiom>> axioms;
    private final String initialValue;
    private final Findings findings;
    private int unjudgedKeys;

    /**
     * @param axioms what each level asked for demands
     * @param initialValue the text of the value that means the initial state as null does, or null
     * @param findings told of everything found
     */
    public LaneCheck(Lane lane, Map<IsolationLevel, Set<Axiom>> axioms, String initialValue, Findings findings) {
        this.lane = lane;
        this.axioms = axioms;
        this.initialValue = initialValue;
        this.findings = findings;
    }

    public void run() {
        leaveOutUnplaceable();
        unjudgedKeys = lane.dropUnjudged();
        if (demands(IsolationLevel.SNAPSHOT_ISOLATION, Axiom.EXT)
                || demands(IsolationLevel.SNAPSHOT_ISOLATION, Axiom.NOCONFLICT)) {
            checkSnapshots();
        }
        if (demands(IsolationLevel.SERIALIZABLE, Axiom.EXT)) {
            checkSerialOrder();
        }
        if (lane.hasOwnPairs()) {
            checkOwnReads();
        }
    }

    /** Keys that timestamps cannot judge: sets, counters, keys used as register and list. */
    public int unjudgedKeys() {
        return unjudgedKeys;
    }

    private boolean demands(IsolationLevel level, Axiom axiom) {
        return axioms.getOrDefault(level, Set.of()).contains(axiom);
    }

    /** Keys written at a time that nobody knows are not judged. */
    private void leaveOutUnplaceable() {
        if (!lane.hasUnknown()) {
            return;
        }
        for (int txn = 0; txn < lane.txnCount(); txn++) {
            if (lane.isPromoted(txn) && !lane.isPlaced(txn)) {
                for (int op = lane.firstOp().get(txn); op < lane.firstOp().get(txn + 1); op++) {
                    if (LaneOp.isEffective(lane.kind().get(op))) {
                        lane.leaveUnjudged(lane.key().get(op));
                    }
                }
            }
        }
    }

    // ---------------------------------------------------------------- EXT, NOCONFLICT

    private void checkSnapshots() {
        IsolationLevel level = IsolationLevel.SNAPSHOT_ISOLATION;
        EventOrder order = EventOrder.ofSnapshots(lane);
        Mismatches mismatches = new Mismatches(findings.limit());
        KeyStates states = new KeyStates(lane, initialValue, mismatches);
        SnapshotSweep sweep = new SnapshotSweep(lane, order, states);
        sweep.run();
        if (demands(level, Axiom.EXT)) {
            report(level, order, states, mismatches, lane.startTs()::get);
        }
        if (demands(level, Axiom.NOCONFLICT) && sweep.conflictPairs() > 0) {
            reportConflicts(order, sweep);
        }
    }

    private void checkSerialOrder() {
        EventOrder order = EventOrder.ofCommits(lane);
        Mismatches mismatches = new Mismatches(findings.limit());
        KeyStates states = new KeyStates(lane, initialValue, mismatches);
        new SerialSweep(order, states).run();
        report(IsolationLevel.SERIALIZABLE, order, states, mismatches, lane.commitTs()::get);
    }

    private void report(
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
        boolean[] wanted = new boolean[lane.keyCount()];
        for (int i = 0; i < mismatches.kept(); i++) {
            wanted[lane.key().get(mismatches.read(i))] = true;
        }
        KeyWriters writers = new KeyWriters(lane, order, wanted);
        ReadDiagnosis diagnosis = new ReadDiagnosis(lane, writers, states, new FindingMaker(lane, level));
        for (int i = 0; i < mismatches.kept(); i++) {
            long snapshot = snapshotOf.applyAsLong(mismatches.reader(i));
            findings.keep(snapshot, diagnosis.explain(mismatches, i, snapshot));
        }
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

    // ---------------------------------------------------------------- INT

    private void checkOwnReads() {
        KeyStates states = new KeyStates(lane, initialValue, new Mismatches(0));
        for (int txn = 0; txn < lane.txnCount(); txn++) {
            if (lane.status(txn) == TxnStatus.COMMITTED && lane.isPlaced(txn)) {
                checkOwnReads(txn, states);
            }
        }
    }

    private void checkOwnReads(int txn, KeyStates states) {
        int first = lane.firstOp().get(txn);
        int end = lane.firstOp().get(txn + 1);
        for (int op = first; op < end; op++) {
            byte kind = lane.kind().get(op);
            boolean isPair = kind >= LaneOp.OWN_EXPECTED && kind <= LaneOp.OWN_EXPECTED_LIST;
            if (isPair && !agree(op, states) && !reportedBefore(first, op, states)) {
                reportOwnRead(txn, op);
            }
        }
    }

    /** Whether null and the initial value are all that a pair differs in. */
    private boolean agree(int pair, KeyStates states) {
        byte expected = lane.kind().get(pair);
        byte observed = lane.kind().get(pair + 1);
        int key = lane.key().get(pair);
        if (expected == LaneOp.OWN_EXPECTED_NOTHING && observed == LaneOp.OWN_OBSERVED) {
            return states.isInitialValue(key, lane.value().get(pair + 1));
        }
        return expected == LaneOp.OWN_EXPECTED
                && observed == LaneOp.OWN_OBSERVED_NOTHING
                && states.isInitialValue(key, lane.value().get(pair));
    }

    private boolean reportedBefore(int first, int pair, KeyStates states) {
        for (int op = first; op < pair; op++) {
            byte kind = lane.kind().get(op);
            if (kind >= LaneOp.OWN_EXPECTED
                    && kind <= LaneOp.OWN_EXPECTED_LIST
                    && lane.key().get(op) == lane.key().get(pair)
                    && !agree(op, states)) {
                return true;
            }
        }
        return false;
    }

    private void reportOwnRead(int txn, int pair) {
        boolean startsAfterCommit = lane.startTs().get(txn) > lane.commitTs().get(txn);
        boolean rulesOutSnapshot = demands(IsolationLevel.SNAPSHOT_ISOLATION, Axiom.INT)
                && !(startsAfterCommit && demands(IsolationLevel.SNAPSHOT_ISOLATION, Axiom.TIMESTAMP_ORDER));
        boolean rulesOutSerial = demands(IsolationLevel.SERIALIZABLE, Axiom.INT);
        if (rulesOutSnapshot) {
            findings.count(IsolationLevel.SNAPSHOT_ISOLATION, Anomaly.INT, 1);
        }
        if (rulesOutSerial) {
            findings.count(IsolationLevel.SERIALIZABLE, Anomaly.INT, 1);
        }
        if (rulesOutSnapshot || rulesOutSerial) {
            findings.countRows(1);
            IsolationLevel level = rulesOutSnapshot ? IsolationLevel.SNAPSHOT_ISOLATION : IsolationLevel.SERIALIZABLE;
            FindingMaker maker = new FindingMaker(lane, level);
            findings.keep(
                    lane.startTs().get(txn),
                    maker.ownRead(txn, lane.key().get(pair), ownText(maker, pair), ownText(maker, pair + 1)));
        }
    }

    private String ownText(FindingMaker maker, int op) {
        byte kind = lane.kind().get(op);
        int key = lane.key().get(op);
        long code = lane.value().get(op);
        return switch (kind) {
            case LaneOp.OWN_EXPECTED_NOTHING, LaneOp.OWN_OBSERVED_NOTHING -> null;
            case LaneOp.OWN_EXPECTED_LIST, LaneOp.OWN_OBSERVED_LIST ->
                maker.listText(lane.lists().length(code), at -> lane.lists().element(key, code, at));
            default -> lane.valueText(code);
        };
    }
}
