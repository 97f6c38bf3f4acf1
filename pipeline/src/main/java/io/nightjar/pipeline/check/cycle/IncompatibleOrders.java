package io.nightjar.pipeline.check.cycle;

import static io.nightjar.pipeline.check.cycle.DirectAnomaly.NONE;

import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.pipeline.infer.ListOrders;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.VersionOrders;
import io.nightjar.pipeline.infer.Versions;
import io.nightjar.pipeline.primitive.IntColumn;
import java.util.Arrays;

/**
 * Lists that contradict the order shared by all others of their key, each reported once, and anomalies of that order.
 */
final class IncompatibleOrders {

    /** Maximum number of lists of its key that a list is compared with; beyond that it may be counted twice. */
    private static final int MAX_COMPARED = 64;

    private final OperationLog log;
    private final VersionOrders orders;
    private final Versions versions;
    private final ListOrders lists;
    private final DirectFindings found;
    private final IntColumn nonPrefixReads =
            new IntColumn(); // an operation for each list that contradicts its key's order
    private final IntColumn nonPrefixBefore = new IntColumn(); // previous entry of the same key, or NONE
    private final int[] lastNonPrefixOf; // by key: in nonPrefixReads, or NONE

    private IncompatibleOrders(OperationLog log, VersionOrders orders, DirectFindings found) {
        this.log = log;
        this.orders = orders;
        versions = orders.versions();
        lists = orders.lists();
        this.found = found;
        lastNonPrefixOf = new int[log.keyCount];
        Arrays.fill(lastNonPrefixOf, NONE);
    }

    /** Reports the lists recorded in all pieces, in their order. */
    static void gather(OperationLog log, VersionOrders orders, DirectFindings[] ofPiece, DirectFindings found) {
        IncompatibleOrders all = new IncompatibleOrders(log, orders, found);
        for (DirectFindings piece : ofPiece) {
            for (int i = 0; i < piece.nonPrefixReads.size(); i++) {
                all.record(piece.nonPrefixReads.get(i));
            }
        }
        all.checkOrders();
    }

    private void record(int op) {
        int key = log.key[op];
        int compared = 0;
        for (int entry = lastNonPrefixOf[key];
                entry != NONE && compared < MAX_COMPARED;
                entry = nonPrefixBefore.get(entry)) {
            compared++;
            if (isSameList(op, nonPrefixReads.get(entry))) {
                return;
            }
        }
        nonPrefixBefore.add(lastNonPrefixOf[key]);
        lastNonPrefixOf[key] = nonPrefixReads.size();
        nonPrefixReads.add(op);
    }

    private boolean isSameList(int op, int other) {
        int key = log.key[op];
        int length = log.lengthRead(op);
        boolean same = length == log.lengthRead(other);
        for (int i = 0; i < length && same; i++) {
            same = log.lists.element(key, log.value[op], i) == log.lists.element(key, log.value[other], i);
        }
        return same;
    }

    /** Compares the recorded lists with the shared order. */
    private void checkOrders() {
        for (int i = 0; i < nonPrefixReads.size(); i++) {
            int op = nonPrefixReads.get(i);
            int key = log.key[op];
            found.add(Anomaly.INCOMPATIBLE_ORDER, key, op, NONE, NONE, log.txnOf(op), lists.reader(key));
        }
        for (int key = 0; key < log.keyCount; key++) {
            if (orders.abortedAt(key) != Integer.MAX_VALUE) {
                findDirtyUpdates(key);
            }
        }
    }

    /** Finds committed appends on top of aborted ones, once for each run of aborted ones. */
    private void findDirtyUpdates(int key) {
        int aborted = NONE;
        for (int position = orders.abortedAt(key); position < lists.length(key); position++) {
            int version = versions.find(key, lists.element(key, position));
            int writer = version == Versions.NONE ? Versions.NO_TXN : versions.writer(version);
            if (writer < 0) {
                continue;
            }
            if (log.status[writer] == TxnStatus.ABORTED) {
                aborted = version;
            } else if (aborted != NONE) {
                found.add(
                        Anomaly.DIRTY_UPDATE,
                        key,
                        NONE,
                        NONE,
                        aborted,
                        writer,
                        versions.writer(aborted),
                        lists.reader(key));
                aborted = NONE;
            }
        }
    }
}
