package io.nightjar.pipeline.check.cycle;

import static io.nightjar.pipeline.check.cycle.DirectAnomaly.NONE;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.OwnOperations;
import io.nightjar.pipeline.infer.ReadOrigin;
import io.nightjar.pipeline.infer.Versions;
import java.util.Arrays;

/** Anomalies of single reads of sets. */
final class SetAnomalies {

    private final OperationLog log;
    private final Versions versions;
    private final OwnOperations own;
    private final NonCycleAnomalies found;

    SetAnomalies(OperationLog log, Versions versions, OwnOperations own, NonCycleAnomalies found) {
        this.log = log;
        this.versions = versions;
        this.own = own;
        this.found = found;
    }

    void check(int txn, int op, int previous) {
        int key = log.key[op];
        int length = log.lengthRead(op);
        int garbage = NONE;
        int aborted = NONE;
        int future = NONE;
        for (int i = 0; i < length && (garbage == NONE || aborted == NONE || future == NONE); i++) {
            int version = versions.find(key, log.lists.element(key, log.value[op], i));
            byte origin = versions.originOf(version, txn);
            garbage = origin == ReadOrigin.NOWHERE && garbage == NONE ? i : garbage;
            aborted = origin == ReadOrigin.ABORTED && aborted == NONE ? version : aborted;
            boolean isFuture = origin == ReadOrigin.OWN && future == NONE && !isAddedBefore(previous, version);
            future = isFuture ? version : future;
        }
        if (garbage != NONE) {
            int version = versions.find(key, log.lists.element(key, log.value[op], garbage));
            found.add(Anomaly.GARBAGE_READ, key, op, NONE, version, txn);
        }
        if (aborted != NONE) {
            found.add(Anomaly.G1A, key, op, NONE, aborted, txn, versions.writer(aborted));
        }
        if (future != NONE) {
            found.add(Anomaly.FUTURE_READ, key, op, NONE, future, txn);
        }
        if (previous != NONE) {
            checkOwn(txn, op, previous);
        }
    }

    private boolean isAddedBefore(int previous, int version) {
        for (int at = previous; at != NONE; at = own.previous(at)) {
            if (log.kind[at] == OpKind.ADD && versions.ofOp(at) == version) {
                return true;
            }
        }
        return false;
    }

    /** Adds an anomaly if a read of a set lacks an element that the transaction added, or read just before. */
    private void checkOwn(int txn, int op, int previous) {
        int key = log.key[op];
        long[] sorted = new long[log.lengthRead(op)];
        for (int i = 0; i < sorted.length; i++) {
            sorted[i] = log.lists.element(key, log.value[op], i);
        }
        Arrays.sort(sorted);
        boolean isReadBefore = false; // elements added before that read are among its elements
        boolean lacksRead = false;
        for (int at = previous; at != NONE; at = own.previous(at)) {
            if (log.kind[at] == OpKind.ADD && Arrays.binarySearch(sorted, log.value[at]) < 0) {
                found.addInternal(txn, op, previous, true);
                return;
            }
            for (int i = 0; !isReadBefore && i < log.lengthRead(at); i++) {
                lacksRead |= Arrays.binarySearch(sorted, log.lists.element(key, log.value[at], i)) < 0;
            }
            isReadBefore |= OpKind.isRead(log.kind[at]);
        }
        if (lacksRead) {
            found.addInternal(txn, op, previous, false);
        }
    }
}
