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
import io.nightjar.pipeline.primitive.ParallelTasks;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;

/** Anomalies visible in single reads or in two transactions. */
final class NonCycleAnomalies {

    /*
     * Algorithm. One scan of the operations of committed transactions, in pieces. A read is compared with its own
     * transaction's last read or write of the key; the backward scan ends at the last read of the key. For lists,
     * VersionOrders lists the anomalies of the shared order by position, so that only the length of a read matters;
     * only lists that are no prefix of the order are scanned. Facts that concern several transactions are recorded
     * during the scan, and combined in the order of the pieces once all are complete.
     *
     * Each is counted once for a transaction and key, a lost update once for a version, an incompatible order once for
     * each list that contradicts the longest.
     */

    private final OperationLog log;
    private final KeyUse use;
    private final OwnOperations own;
    private final RegisterAnomalies registers;
    private final ListAnomalies lists;
    private final SetAnomalies sets;
    private final LostUpdates updates;

    private final IntOpenHashSet internalKeys = new IntOpenHashSet(); // where the transaction contradicted itself
    private final IntOpenHashSet missedOwnKeys = new IntOpenHashSet(); // keys with a missed own write
    private DirectFindings found = new DirectFindings(); // of the piece that is walked

    private NonCycleAnomalies(OperationLog log, VersionOrders orders) {
        this.log = log;
        use = orders.use();
        own = new OwnOperations(log);
        registers = new RegisterAnomalies(log, orders.versions(), own, this);
        lists = new ListAnomalies(log, orders, own, new NonPrefixListAnomalies(log, orders, this), this);
        sets = new SetAnomalies(log, orders.versions(), own, this);
        updates = new LostUpdates(log, orders, own);
    }

    static DirectFindings find(ReadResolution reads, VersionOrders orders) {
        OperationLog log = reads.log;
        ParallelTasks helpers = reads.helpers();
        int[] bounds = ParallelTasks.bounds(helpers.pieces(log.opCount), log.txnCount, log.firstOpOf);
        DirectFindings[] ofPiece = new DirectFindings[bounds.length - 1];
        helpers.run(helpers.count(), ofPiece.length, () -> {
            NonCycleAnomalies worker = new NonCycleAnomalies(log, orders);
            return piece -> ofPiece[piece] = worker.walk(bounds[piece], bounds[piece + 1]);
        });
        DirectFindings all = new DirectFindings();
        for (DirectFindings piece : ofPiece) {
            all.addAll(piece);
        }
        LostUpdates.gather(log, orders, ofPiece, all);
        IncompatibleOrders.gather(log, orders, ofPiece, all);
        addRepeatedWrites(reads, orders.versions(), all);
        return all;
    }

    private DirectFindings walk(int firstTxn, int endTxn) {
        found = new DirectFindings();
        for (int txn = firstTxn; txn < endTxn; txn++) {
            if (log.status[txn] == TxnStatus.COMMITTED) {
                checkTxn(txn);
            }
        }
        return found;
    }

    void add(Anomaly anomaly, int key, int op, int otherOp, int version, int... txns) {
        found.add(anomaly, key, op, otherOp, version, txns);
    }

    /** Notes a list that contradicts the order of its key. */
    void addNonPrefixRead(int op) {
        found.nonPrefixReads.add(op);
    }

    /** @param isOfOwnWrite whether the read does not return its transaction's write; this is reported first */
    void addInternal(int txn, int op, int previous, boolean isOfOwnWrite) {
        int key = log.key[op];
        boolean isGraver = isOfOwnWrite && missedOwnKeys.add(key);
        boolean isRecorded = !internalKeys.add(key);
        if (isRecorded && !isGraver) {
            return;
        }
        if (isGraver) {
            found.countMissedOwn();
        }
        if (isRecorded) {
            found.forgetInternal(txn, key);
        }
        add(Anomaly.INTERNAL, key, op, previous, isOfOwnWrite ? DirectAnomaly.OWN : NONE, txn);
    }

    // ---------------------------------------------------------------- one transaction

    private void checkTxn(int txn) {
        own.begin(txn);
        internalKeys.clear();
        missedOwnKeys.clear();
        for (int op = log.firstOpOf[txn]; op < log.firstOpOf[txn + 1]; op++) {
            byte kind = log.kind[op];
            if (OpKind.isGuard(kind)) {
                continue;
            }
            int previous = own.take(op);
            if (OpKind.isUnreadWrite(kind)) {
                continue;
            }
            int key = log.key[op];
            switch (use.of(key)) {
                case KeyUse.REGISTER -> {
                    if (kind == OpKind.WRITE) {
                        updates.record(op, previous, found);
                    } else {
                        registers.check(txn, op, previous);
                    }
                }
                case KeyUse.LIST -> {
                    if (kind == OpKind.APPEND) {
                        updates.record(op, previous, found);
                        lists.findFutureRead(txn, op);
                    } else {
                        lists.check(txn, op, previous);
                    }
                }
                case KeyUse.SET -> {
                    if (kind != OpKind.ADD) {
                        sets.check(txn, op, previous);
                    }
                }
                default -> {
                    // A single read of a counter, or of a key with mixed uses, proves nothing.
                }
            }
        }
    }

    // ---------------------------------------------------------------- several transactions

    private static void addRepeatedWrites(ReadResolution reads, Versions versions, DirectFindings all) {
        reads.forEachRepeatedWrite((first, second, op) -> {
            int[] txns = first == second ? new int[] {first} : new int[] {first, second};
            all.add(Anomaly.DUPLICATE_WRITE, reads.log.key[op], op, NONE, versions.ofOp(op), txns);
        });
    }
}
