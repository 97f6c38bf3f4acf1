package io.nightjar.pipeline.check.cycle;

import static io.nightjar.pipeline.check.cycle.DirectAnomaly.NONE;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.pipeline.infer.KeyUse;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.OwnOperations;
import io.nightjar.pipeline.infer.ReadResolution;
import io.nightjar.pipeline.infer.VersionOrders;
import io.nightjar.pipeline.infer.Versions;
import java.util.ArrayList;
import java.util.List;

/** Finds what single reads, or two transactions beside each other, show to be wrong. */
final class DirectAnomalies {

    /*
     * One walk over the operations of committed transactions. A read is compared with what its own transaction last saw or
     * did: the way back goes as far as the last read of the key. For lists, what is wrong with the order that all reads
     * share is known by its position (VersionOrders), so that a read is looked at no closer than its length; only lists
     * that are no prefix of it are gone through.
     *
     * Each is counted once for a transaction and key, a lost update once for a version, an incompatible order once for
     * each list that contradicts the longest.
     */

    private final ReadResolution reads;
    private final OperationLog log;
    private final Versions versions;
    private final KeyUse use;
    private final OwnOperations own;
    private final RegisterAnomalies registers;
    private final ListAnomalies lists;
    private final OddLists oddLists;
    private final SetAnomalies sets;
    private final LostUpdates updates;

    private final List<DirectAnomaly> found = new ArrayList<>();
    private final long[] countOf = new long[Anomaly.values().length];
    private final int[] internalBy; // by key: the last transaction, plus one, that contradicted itself
    private final int[] missedOwnBy; // the same of one that did not see what it had written
    private long missedOwnCount;

    private DirectAnomalies(ReadResolution reads, VersionOrders orders) {
        this.reads = reads;
        log = reads.log;
        versions = orders.versions();
        use = orders.use();
        own = new OwnOperations(log);
        registers = new RegisterAnomalies(log, versions, own, this);
        oddLists = new OddLists(log, orders, this);
        lists = new ListAnomalies(log, orders, own, oddLists, this);
        sets = new SetAnomalies(log, versions, own, this);
        updates = new LostUpdates(log, orders, own, this);
        internalBy = new int[log.keyCount];
        missedOwnBy = new int[log.keyCount];
    }

    static DirectAnomalies find(ReadResolution reads, VersionOrders orders) {
        DirectAnomalies anomalies = new DirectAnomalies(reads, orders);
        OperationLog log = reads.log;
        for (int txn = 0; txn < log.txnCount; txn++) {
            if (log.status[txn] == TxnStatus.COMMITTED) {
                anomalies.look(txn);
            }
        }
        anomalies.updates.gather();
        anomalies.oddLists.lookAtOrders();
        anomalies.lookAtRepeatedWrites();
        return anomalies;
    }

    List<DirectAnomaly> found() {
        return found;
    }

    long count(Anomaly anomaly) {
        return countOf[anomaly.ordinal()];
    }

    void add(Anomaly anomaly, int key, int op, int otherOp, int version, int... txns) {
        countOf[anomaly.ordinal()]++;
        if (found.size() < CycleSearch.MOST_LISTED) {
            found.add(new DirectAnomaly(anomaly, key, txns, op, otherOp, version));
        }
    }

    /** @param isOfOwnWrite whether the read does not show what its transaction had written; that is told first of all */
    void addInternal(int txn, int op, int previous, boolean isOfOwnWrite) {
        int key = log.key[op];
        boolean isTold = internalBy[key] == txn + 1;
        boolean isGraver = isOfOwnWrite && missedOwnBy[key] != txn + 1;
        if (isTold && !isGraver) {
            return;
        }
        if (isGraver) {
            missedOwnBy[key] = txn + 1;
            missedOwnCount++;
        }
        if (isTold) {
            forgetInternal(txn, key);
            countOf[Anomaly.INTERNAL.ordinal()]--;
        }
        internalBy[key] = txn + 1;
        add(Anomaly.INTERNAL, key, op, previous, isOfOwnWrite ? DirectAnomaly.OWN : NONE, txn);
    }

    /** Removes what was told of a transaction and key; that of the transaction being looked at stands at the end. */
    private void forgetInternal(int txn, int key) {
        for (int at = found.size() - 1; at >= 0 && found.get(at).txns()[0] == txn; at--) {
            DirectAnomaly told = found.get(at);
            if (told.anomaly() == Anomaly.INTERNAL && told.key() == key) {
                found.remove(at);
                return;
            }
        }
    }

    /** How many transactions did not see what they had written, each counted once for a key. */
    long missedOwnCount() {
        return missedOwnCount;
    }

    // ---------------------------------------------------------------- one transaction

    private void look(int txn) {
        own.begin(txn);
        for (int op = log.firstOpOf[txn]; op < log.firstOpOf[txn + 1]; op++) {
            int previous = own.take(op);
            int key = log.key[op];
            byte kind = log.kind[op];
            switch (use.of(key)) {
                case KeyUse.REGISTER -> {
                    if (kind == OpKind.WRITE) {
                        updates.note(txn, op, previous);
                    } else {
                        registers.look(txn, op, previous);
                    }
                }
                case KeyUse.LIST -> {
                    if (kind == OpKind.APPEND) {
                        updates.note(txn, op, previous);
                        lists.lookForFutureRead(txn, op, previous);
                    } else {
                        lists.look(txn, op, previous);
                    }
                }
                case KeyUse.SET -> {
                    if (kind != OpKind.ADD) {
                        sets.look(txn, op, previous);
                    }
                }
                default -> {
                    // of counters and of keys with mixed uses nothing can be said by looking at one read
                }
            }
        }
    }

    // ---------------------------------------------------------------- what several transactions did

    private void lookAtRepeatedWrites() {
        reads.forEachRepeatedWrite((first, second, op) -> {
            int[] txns = first == second ? new int[] {first} : new int[] {first, second};
            add(Anomaly.DUPLICATE_WRITE, log.key[op], op, NONE, versions.ofOp(op), txns);
        });
    }
}
