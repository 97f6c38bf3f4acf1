package io.nightjar.pipeline.check.cycle;

import static io.nightjar.pipeline.check.cycle.DirectAnomaly.NONE;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.pipeline.infer.KeyUse;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.OwnOperations;
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

    private DirectAnomalies(OperationLog log, VersionOrders orders) {
        this.log = log;
        versions = orders.versions();
        use = orders.use();
        own = new OwnOperations(log);
        registers = new RegisterAnomalies(log, versions, own, this);
        oddLists = new OddLists(log, orders, this);
        lists = new ListAnomalies(log, orders, own, oddLists, this);
        sets = new SetAnomalies(log, versions, own, this);
        updates = new LostUpdates(log, orders, own, this);
        internalBy = new int[log.keyCount];
    }

    static DirectAnomalies find(OperationLog log, VersionOrders orders) {
        DirectAnomalies anomalies = new DirectAnomalies(log, orders);
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

    void addInternal(int txn, int op, int previous) {
        int key = log.key[op];
        if (internalBy[key] != txn + 1) {
            internalBy[key] = txn + 1;
            add(Anomaly.INTERNAL, key, op, previous, NONE, txn);
        }
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
        for (int i = 0; i < versions.repeatedWriteCount(); i++) {
            int version = versions.repeatedVersion(i);
            int first = versions.firstWriter(version);
            int second = versions.repeatingTxn(i);
            if (first == second) {
                add(Anomaly.DUPLICATE_WRITE, versions.key(version), NONE, NONE, version, first);
            } else {
                add(Anomaly.DUPLICATE_WRITE, versions.key(version), NONE, NONE, version, first, second);
            }
        }
    }
}
