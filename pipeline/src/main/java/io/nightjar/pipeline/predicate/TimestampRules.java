package io.nightjar.pipeline.predicate;

import io.nightjar.formats.finding.EdgeReason;
import io.nightjar.formats.finding.EdgeReason.OfRows;
import io.nightjar.formats.finding.EdgeReason.RowFact;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.EdgeEvidence;
import io.nightjar.formats.level.EdgeType;
import io.nightjar.formats.level.IsolationLevel;
import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.List;
import java.util.function.Supplier;

/** Rules on timestamps apart from reads: the order in sessions, and that writers of a row do not overlap. */
final class TimestampRules {

    /** Receiver of violations of a rule. */
    interface Breaks {
        void add(Anomaly anomaly, int txn, Supplier<Finding> finding);
    }

    private final TableHistory history;
    private final TableVersions versions;
    private final TableFindings made;
    private final IsolationLevel level;
    private final Breaks to;

    TimestampRules(TableHistory history, TableVersions versions, TableFindings made, IsolationLevel level, Breaks to) {
        this.history = history;
        this.versions = versions;
        this.made = made;
        this.level = level;
        this.to = to;
    }

    /** Asks that no transaction starts after it commits. */
    void timesInOrder() {
        for (int txn = 0; txn < history.txnCount; txn++) {
            if (history.status[txn] == TxnStatus.COMMITTED && versions.commitTs(txn) < history.startTs[txn]) {
                int subject = txn;
                to.add(Anomaly.TIMESTAMP_ORDER, txn, () -> lateStart(subject));
            }
        }
    }

    private Finding lateStart(int txn) {
        EdgeReason reason = new OfRows(RowFact.LATE_START, history.startTs[txn], versions.commitTs(txn));
        return TableFindings.finding(
                Anomaly.TIMESTAMP_ORDER,
                level,
                null,
                List.of(made.participant(txn, Role.SUBJECT)),
                null,
                List.of(made.edge(txn, txn, EdgeType.TS, null, EdgeEvidence.TIMESTAMP, reason)));
    }

    /**
     * Checks that each transaction of a session starts after its predecessor committed; in a serial order, that it
     * commits later.
     */
    void sessionsInOrder(boolean isSerial) {
        int[] order = TransactionOrders.bySession(history);
        for (int i = 1; i < order.length; i++) {
            int before = order[i - 1];
            int txn = order[i];
            if (history.sessionId[before] != history.sessionId[txn]) {
                continue;
            }
            long minCommit = versions.commitTs(before);
            boolean isWrong = isSerial
                    ? versions.commitTs(txn) < minCommit || versions.commitTs(txn) == minCommit && versions.writes(txn)
                    : history.startTs[txn] < minCommit;
            if (isWrong) {
                to.add(Anomaly.SESSION, txn, () -> earlyInSession(before, txn, isSerial));
            }
        }
    }

    private Finding earlyInSession(int before, int txn, boolean isSerial) {
        EdgeReason reason = new OfRows(
                isSerial ? RowFact.EARLY_COMMIT : RowFact.EARLY_START,
                isSerial ? versions.commitTs(txn) : history.startTs[txn],
                versions.commitTs(before));
        return TableFindings.finding(
                Anomaly.SESSION,
                level,
                null,
                List.of(made.participant(txn, Role.SUBJECT), made.participant(before, Role.PREVIOUS)),
                null,
                List.of(made.edge(before, txn, EdgeType.SO, null, EdgeEvidence.SESSION, reason)));
    }

    /** Writers of a row do not overlap; where one of them is only known to have committed by who read it, that is a doubt. */
    void conflicts(UndecidedReasons doubts) {
        for (int key = 0; key < history.keyCount(); key++) {
            int[] writers = writersOf(key);
            for (int later = 1; later < writers.length; later++) {
                int earlier = later - 1;
                while (earlier >= 0 && isOpen(writers[earlier], writers[later])) { // so are none in front of it
                    if (isCommitted(writers[earlier]) && isCommitted(writers[later])) {
                        conflict(key, writers[earlier], writers[later]);
                    } else {
                        doubts.add(
                                "a transaction whose outcome is unknown overlaps another writer of key "
                                        + history.keyName(key),
                                history.locationOf(writers[later]));
                    }
                    earlier--;
                }
            }
        }
    }

    private boolean isCommitted(int txn) {
        return history.status[txn] == TxnStatus.COMMITTED;
    }

    /** Writers of a key that count, in the order of their commits. */
    private int[] writersOf(int key) {
        int[] writers = new int[versions.firstOf[key + 1] - versions.firstOf[key]];
        int count = 0;
        for (int slot = versions.firstOf[key]; slot < versions.firstOf[key + 1]; slot++) {
            if (versions.isFinal[slot]) {
                writers[count++] = versions.txnOf[slot];
            }
        }
        int[] sorted = java.util.Arrays.copyOf(writers, count);
        if (!versions.isByTime(key)) {
            IntArrays.mergeSort(sorted, (one, other) -> {
                int byTime = Long.compare(versions.commitTs(one), versions.commitTs(other));
                return byTime != 0 ? byTime : Integer.compare(one, other);
            });
        }
        return sorted;
    }

    private boolean isOpen(int earlier, int later) {
        return history.startTs[later] < versions.commitTs(earlier)
                || versions.commitTs(later) == versions.commitTs(earlier);
    }

    private void conflict(int key, int earlier, int later) {
        boolean isJudged = history.startTs[earlier] <= versions.commitTs(earlier)
                && history.startTs[later] <= versions.commitTs(later);
        if (isJudged) {
            to.add(Anomaly.NOCONFLICT, earlier, () -> overlap(key, earlier, later));
        }
    }

    private Finding overlap(int key, int earlier, int later) {
        String name = history.keyName(key);
        Edge edge = made.edge(earlier, later, EdgeType.WW, name, EdgeEvidence.TIMESTAMP, new OfRows(RowFact.OVERLAP));
        return TableFindings.finding(
                Anomaly.NOCONFLICT,
                level,
                name,
                List.of(made.participant(earlier, Role.EARLIER_WRITER), made.participant(later, Role.LATER_WRITER)),
                null,
                List.of(edge));
    }
}
