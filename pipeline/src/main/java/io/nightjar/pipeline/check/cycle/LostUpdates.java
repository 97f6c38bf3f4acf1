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

    LostUpdates(OperationLog log, VersionOrders orders, OwnOperations own) {
        this.log = log;
        versions = orders.versions();
        lists = orders.lists();
        this.own = own;
    }

    /** Records the first write of a key in a transaction that read the key before: an update of the version read. */
    void record(int op, int previous, DirectFindings noted) {
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
        if (version != Versions.NONE && versions.writer(version) != Versions.SEVERAL) {
            noted.updatedVersions.add(version);
            noted.updatingReads.add(read);
        }
    }

    /** Returns the version that a read of a register or list returned; none if it is not known. */
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

    /** Reports the updates recorded in all pieces, in their order. */
    static void gather(OperationLog log, VersionOrders orders, DirectFindings[] ofPiece, DirectFindings found) {
        int[] firstReadOf = new int[orders.versions().count()]; // by version: of who replaced it first, or NONE
        Arrays.fill(firstReadOf, NONE);
        IntColumn lostVersions = new IntColumn();
        IntColumn lostReads = new IntColumn();
        for (DirectFindings piece : ofPiece) {
            for (int i = 0; i < piece.updatedVersions.size(); i++) {
                int version = piece.updatedVersions.get(i);
                int read = piece.updatingReads.get(i);
                if (firstReadOf[version] == NONE) {
                    firstReadOf[version] = read;
                } else if (log.lengthRead(firstReadOf[version]) == log.lengthRead(read)) {
                    // an element that was listed twice ends lists of two lengths, which are different versions
                    lostVersions.add(version);
                    lostReads.add(read);
                }
            }
        }
        int count = lostVersions.size();
        long[] byVersion = new long[count];
        for (int i = 0; i < count; i++) {
            byVersion[i] = (long) lostVersions.get(i) << 32 | lostReads.get(i);
        }
        Arrays.sort(byVersion);
        for (int i = 0; i < count; ) {
            int version = (int) (byVersion[i] >>> 32);
            int end = i;
            while (end < count && (int) (byVersion[end] >>> 32) == version) {
                end++;
            }
            int[] txns = new int[end - i + 1];
            txns[0] = log.txnOf(firstReadOf[version]);
            for (int at = i; at < end; at++) {
                txns[at - i + 1] = log.txnOf((int) byVersion[at]);
            }
            found.add(Anomaly.LOST_UPDATE, orders.versions().key(version), NONE, NONE, version, txns);
            i = end;
        }
    }
}
