package io.nightjar.pipeline.check.cycle;

import static io.nightjar.pipeline.check.cycle.DirectAnomaly.NONE;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.pipeline.infer.ListOrders;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.OwnOperations;
import io.nightjar.pipeline.infer.VersionOrders;
import io.nightjar.pipeline.infer.Versions;
import io.nightjar.pipeline.primitive.IntColumn;
import java.util.Arrays;

/** Updates of a version that another transaction replaced too. */
final class LostUpdates {

    private final OperationLog log;
    private final Versions versions;
    private final ListOrders lists;
    private final OwnOperations own;
    private final DirectAnomalies found;
    private final int[] updaterOf; // by version: who read it first and replaced it, or NONE
    private final int[]
            lengthOf; // by version: of the list that this one read; an element that was listed twice ends two
    private final IntColumn lostVersions = new IntColumn();
    private final IntColumn lostTxns = new IntColumn();

    LostUpdates(OperationLog log, VersionOrders orders, OwnOperations own, DirectAnomalies found) {
        this.log = log;
        versions = orders.versions();
        lists = orders.lists();
        this.own = own;
        this.found = found;
        updaterOf = new int[versions.count()];
        Arrays.fill(updaterOf, NONE);
        lengthOf = new int[versions.count()];
    }

    /** The first write of a key in a transaction that read it before anything else: an update of what it read. */
    void note(int txn, int op, int previous) {
        if (previous == NONE || !OpKind.isRead(log.kind[previous])) {
            return;
        }
        int read = previous;
        while (own.previous(read) != NONE) {
            read = own.previous(read);
            if (!OpKind.isRead(log.kind[read])) {
                return; // it wrote the key before
            }
        }
        int version = versionRead(read);
        if (version == Versions.NONE || versions.writer(version) == Versions.SEVERAL) {
            return;
        }
        int length = log.kind[read] == OpKind.READ_LIST ? log.lists.length(log.value[read]) : 0;
        if (updaterOf[version] == NONE) {
            updaterOf[version] = txn;
            lengthOf[version] = length;
        } else if (lengthOf[version] == length) {
            lostVersions.add(version);
            lostTxns.add(txn);
        }
    }

    /** The version that a read of a register or list returned; none if it is not known. */
    private int versionRead(int op) {
        int key = log.key[op];
        return switch (log.kind[op]) {
            case OpKind.READ_NOTHING, OpKind.READ -> versions.ofOp(op);
            default -> {
                int length = log.lists.length(log.value[op]);
                if (length == 0) {
                    yield Versions.initial(key);
                }
                yield lists.isPrefix(op) ? versions.find(key, lists.element(key, length - 1)) : Versions.NONE;
            }
        };
    }

    /** Tells of what was noted. */
    void gather() {
        int count = lostVersions.size();
        if (count == 0) {
            return;
        }
        long[] byVersion = new long[count];
        for (int i = 0; i < count; i++) {
            byVersion[i] = (long) lostVersions.get(i) << 32 | lostTxns.get(i);
        }
        Arrays.sort(byVersion);
        for (int i = 0; i < count; ) {
            int version = (int) (byVersion[i] >>> 32);
            int end = i;
            while (end < count && (int) (byVersion[end] >>> 32) == version) {
                end++;
            }
            int[] txns = new int[end - i + 1];
            txns[0] = updaterOf[version];
            for (int at = i; at < end; at++) {
                txns[at - i + 1] = (int) byVersion[at];
            }
            found.add(Anomaly.LOST_UPDATE, versions.key(version), NONE, NONE, version, txns);
            i = end;
        }
    }
}
