package io.nightjar.pipeline.check;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.infer.ClientHistory;

/** Looks at a witness of a small history as plainly as possible. */
public final class Witnesses {

    private Witnesses() {}

    /** What is wrong with a witness of PC, SI or SER; null if it proves the level. */
    public static String complaint(ClientHistory history, IsolationLevel level, CommitOrder witness) {
        for (int txn = 0; txn < history.txnCount; txn++) {
            if (level == IsolationLevel.SERIALIZABLE
                    ? witness.snapshotOf[txn] != witness.commitOf[txn]
                    : witness.snapshotOf[txn] > witness.commitOf[txn]) {
                return "snapshot against commit: txn=" + txn;
            }
            for (int other = 0; other < history.txnCount; other++) {
                String complaint = other == txn ? null : complaint(history, level, witness, other, txn);
                if (complaint != null) {
                    return complaint + ": first=" + other + " second=" + txn;
                }
            }
            for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
                if (!isCurrent(history, witness, txn, read)) {
                    return "read is not current: txn=" + txn + " key=" + history.keyOfRead[read];
                }
            }
        }
        return versionComplaint(history, witness);
    }

    private static String complaint(
            ClientHistory history, IsolationLevel level, CommitOrder witness, int first, int second) {
        if (witness.commitOf[first] == witness.commitOf[second]) {
            return "one position";
        }
        boolean sees = witness.commitOf[first] < witness.snapshotOf[second];
        if (history.sessionOf[first] == history.sessionOf[second] && first < second && !sees) {
            return "session order";
        }
        boolean commitsBefore = witness.commitOf[first] < witness.commitOf[second];
        if (level == IsolationLevel.SNAPSHOT_ISOLATION && commitsBefore && !sees) {
            for (int write = history.firstWriteOf[first]; write < history.firstWriteOf[first + 1]; write++) {
                if (history.writes(second, history.keyOfWrite[write])) {
                    return "overlap";
                }
            }
        }
        return null;
    }

    private static boolean isCurrent(ClientHistory history, CommitOrder witness, int txn, int read) {
        int key = history.keyOfRead[read];
        int writer = history.writerOf[read];
        if (key == ClientHistory.NO_KEY) {
            return witness.commitOf[writer] < witness.snapshotOf[txn];
        }
        int latest = ClientHistory.INITIAL;
        for (int other = 0; other < history.txnCount; other++) {
            if (other != txn
                    && history.writes(other, key)
                    && witness.commitOf[other] < witness.snapshotOf[txn]
                    && (latest == ClientHistory.INITIAL || witness.commitOf[other] > witness.commitOf[latest])) {
                latest = other;
            }
        }
        return latest == writer;
    }

    private static String versionComplaint(ClientHistory history, CommitOrder witness) {
        for (int key = 0; history.knowsVersionOrders() && key < history.keyCount; key++) {
            int last = Integer.MIN_VALUE;
            int seen = 0;
            for (int version = history.firstVersionOf[key]; version < history.firstVersionOf[key + 1]; version++) {
                int commit = witness.commitOf[history.txnOfVersion[version]];
                if (commit < last) {
                    return "order of versions: key=" + key;
                }
                last = commit;
                seen++;
            }
            int before = 0;
            for (int txn = 0; txn < history.txnCount; txn++) {
                before += history.writes(txn, key) && witness.commitOf[txn] <= last ? 1 : 0;
            }
            if (before > seen) {
                return "a version before those that are known: key=" + key;
            }
        }
        return null;
    }
}
