package io.nightjar.pipeline.check.commitorder;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.check.CommitOrder;
import io.nightjar.pipeline.infer.ClientHistory;
import java.util.HashSet;
import java.util.Set;

/** Compares a witness with the definition of its level, transaction by transaction, the plain way. */
final class WitnessAxioms {

    private WitnessAxioms() {}

    /** Null if the order is a witness, else what is wrong with it. */
    static String fault(ClientHistory history, IsolationLevel level, CommitOrder order) {
        Set<Integer> positions = new HashSet<>();
        for (int txn = 0; txn < history.txnCount; txn++) {
            boolean isSerial = level == IsolationLevel.SERIALIZABLE;
            boolean isOrdered = isSerial
                    ? order.snapshotOf[txn] == order.commitOf[txn]
                    : order.snapshotOf[txn] < order.commitOf[txn] && positions.add(order.snapshotOf[txn]);
            if (!isOrdered || !positions.add(order.commitOf[txn])) {
                return "positions: txn=" + txn;
            }
            for (int other = 0; other < history.txnCount; other++) {
                boolean isLaterInSession = other < txn && history.sessionOf[other] == history.sessionOf[txn];
                if (isLaterInSession && order.commitOf[other] >= order.snapshotOf[txn]) {
                    return "session order: " + other + " " + txn;
                }
                boolean overlaps =
                        order.snapshotOf[txn] < order.commitOf[other] && order.snapshotOf[other] < order.commitOf[txn];
                if (level == IsolationLevel.SNAPSHOT_ISOLATION
                        && other != txn
                        && overlaps
                        && shareAKey(history, other, txn)) {
                    return "overlap: " + other + " " + txn;
                }
            }
            for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
                int writer = history.writerOf[read];
                boolean isSeen = writer == ClientHistory.INITIAL || order.commitOf[writer] < order.snapshotOf[txn];
                int key = history.keyOfRead[read];
                if (!isSeen || key != ClientHistory.NO_KEY && latest(history, order, txn, key) != writer) {
                    return "read: txn=" + txn + " key=" + key;
                }
            }
        }
        return null;
    }

    private static boolean shareAKey(ClientHistory history, int left, int right) {
        for (int write = history.firstWriteOf[left]; write < history.firstWriteOf[left + 1]; write++) {
            if (history.writes(right, history.keyOfWrite[write])) {
                return true;
            }
        }
        return false;
    }

    private static int latest(ClientHistory history, CommitOrder order, int reader, int key) {
        int latest = ClientHistory.INITIAL;
        for (int txn = 0; txn < history.txnCount; txn++) {
            boolean isSeen = txn != reader && order.commitOf[txn] < order.snapshotOf[reader];
            boolean isLater = latest == ClientHistory.INITIAL || order.commitOf[txn] > order.commitOf[latest];
            if (isSeen && isLater && history.writes(txn, key)) {
                latest = txn;
            }
        }
        return latest;
    }
}
