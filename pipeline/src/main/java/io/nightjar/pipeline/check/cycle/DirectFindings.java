package io.nightjar.pipeline.check.cycle;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.pipeline.primitive.IntColumn;
import java.util.ArrayList;
import java.util.List;

/** Anomalies that {@link NonCycleAnomalies} found in some or all transactions, in their order. */
final class DirectFindings {

    private final List<DirectAnomaly> found = new ArrayList<>();
    private final long[] countOf = new long[Anomaly.values().length];
    private long missedOwnCount;

    /** Reads of lists that contradict their key's order. */
    final IntColumn nonPrefixReads = new IntColumn();

    /** Updates: the versions they replaced, and the operation that had read each. */
    final IntColumn updatedVersions = new IntColumn();

    final IntColumn updatingReads = new IntColumn();

    /** Returns the listed anomalies: at most a million. */
    List<DirectAnomaly> found() {
        return found;
    }

    long count(Anomaly anomaly) {
        return countOf[anomaly.ordinal()];
    }

    /** Returns the number of (transaction, key) pairs in which the transaction did not observe its own write. */
    long missedOwnCount() {
        return missedOwnCount;
    }

    void add(Anomaly anomaly, int key, int op, int otherOp, int version, int... txns) {
        countOf[anomaly.ordinal()]++;
        if (found.size() < CycleSearch.MAX_LISTED) {
            found.add(new DirectAnomaly(anomaly, key, txns, op, otherOp, version));
        }
    }

    /** Adds the findings of later transactions, without their notes. */
    void addAll(DirectFindings later) {
        found.addAll(later.found.subList(0, Math.min(later.found.size(), CycleSearch.MAX_LISTED - found.size())));
        for (int anomaly = 0; anomaly < countOf.length; anomaly++) {
            countOf[anomaly] += later.countOf[anomaly];
        }
        missedOwnCount += later.missedOwnCount;
    }

    void countMissedOwn() {
        missedOwnCount++;
    }

    /** Removes the anomaly reported for a transaction and key; that of the current transaction is last. */
    void forgetInternal(int txn, int key) {
        countOf[Anomaly.INTERNAL.ordinal()]--;
        for (int at = found.size() - 1; at >= 0 && found.get(at).txns()[0] == txn; at--) {
            DirectAnomaly anomaly = found.get(at);
            if (anomaly.anomaly() == Anomaly.INTERNAL && anomaly.key() == key) {
                found.remove(at);
                return;
            }
        }
    }
}
