package io.nightjar.pipeline.check.cycle;

import static io.nightjar.pipeline.check.cycle.DirectAnomaly.NONE;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.pipeline.infer.OperationLog;
import io.nightjar.pipeline.infer.OwnOperations;
import io.nightjar.pipeline.infer.ReadOrigin;
import io.nightjar.pipeline.infer.Versions;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;

/** Anomalies of single reads of registers. */
final class RegisterAnomalies {

    private final OperationLog log;
    private final Versions versions;
    private final OwnOperations own;
    private final IntOpenHashSet written =
            new IntOpenHashSet(0); // versions that a transaction writes before an operation
    private int writtenIn = NONE; // the transaction
    private int endOfWritten; // the operation
    private final NonCycleAnomalies found;

    RegisterAnomalies(OperationLog log, Versions versions, OwnOperations own, NonCycleAnomalies found) {
        this.log = log;
        this.versions = versions;
        this.own = own;
        this.found = found;
    }

    void check(int txn, int op, int previous) {
        if (previous != NONE) {
            if (isSameValue(op, previous)) {
                return;
            }
            int written = own.lastWriteBefore(op);
            found.addInternal(txn, op, previous, written != NONE && !isSameValue(op, written));
        }
        if (log.kind[op] == OpKind.READ) {
            checkVersion(txn, op, versions.ofOp(op));
        }
    }

    private boolean isSameValue(int op, int other) {
        boolean isNothing = log.kind[op] == OpKind.READ_NOTHING;
        boolean otherIsNothing = log.kind[other] == OpKind.READ_NOTHING;
        return isNothing || otherIsNothing ? isNothing == otherIsNothing : log.value[op] == log.value[other];
    }

    private void checkVersion(int txn, int op, int version) {
        int key = log.key[op];
        switch (versions.originOf(version, txn)) {
            case ReadOrigin.NOWHERE -> found.add(Anomaly.GARBAGE_READ, key, op, NONE, version, txn);
            case ReadOrigin.OWN -> {
                if (!isWrittenBefore(txn, op, version)) {
                    found.add(Anomaly.FUTURE_READ, key, op, NONE, version, txn);
                }
            }
            case ReadOrigin.ABORTED -> found.add(Anomaly.G1A, key, op, NONE, version, txn, versions.writer(version));
            case ReadOrigin.INTERMEDIATE ->
                found.add(Anomaly.G1B, key, op, NONE, version, txn, versions.writer(version));
            default -> {
                // a value of several writers proves nothing, and the final write of its writer is correct
            }
        }
    }

    /** Returns whether a transaction writes a version before an operation; operations come in their order. */
    private boolean isWrittenBefore(int txn, int op, int version) {
        if (writtenIn != txn) {
            writtenIn = txn;
            written.clear();
            endOfWritten = log.firstOpOf[txn];
        }
        for (; endOfWritten < op; endOfWritten++) {
            if (OpKind.isWrite(log.kind[endOfWritten])) {
                written.add(versions.ofOp(endOfWritten));
            }
        }
        return written.contains(version);
    }
}
