package io.nightjar.pipeline.infer;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.primitive.IntColumn;
import io.nightjar.pipeline.primitive.ParallelTasks;
import io.nightjar.pipeline.primitive.RadixSort;
import java.util.Arrays;

/**
 * The version of each register that a transaction first read and the version that it finally wrote, with the resulting
 * links.
 */
final class RegisterAccess {

    /*
     * Layout.
     *
     *   access  firstAccessOf[txn] .. firstAccessOf[txn + 1]: each register that a counted transaction touches, once
     *
     * The version found is that read by its first operation on the key, if that is a read; the version left is its last
     * write.
     */

    private static final int NONE = Versions.NONE;

    private final OperationLog log;
    private final Versions versions;
    private final int[] firstAccessOf;
    private final IntColumn keyOf = new IntColumn();
    private final IntColumn foundOf = new IntColumn();
    private final IntColumn leftOf = new IntColumn();

    private RegisterAccess(OperationLog log, Versions versions, int[] firstAccessOf) {
        this.log = log;
        this.versions = versions;
        this.firstAccessOf = firstAccessOf;
    }

    /** Processes the transactions in pieces, each with separate columns, which are concatenated in their order. */
    static RegisterAccess of(ReadResolution reads) {
        OperationLog log = reads.log;
        ParallelTasks helpers = reads.helpers;
        RegisterAccess all = new RegisterAccess(log, reads.versions(), new int[log.txnCount + 1]);
        int[] bounds = ParallelTasks.bounds(helpers.pieces(log.opCount), log.txnCount, log.firstOpOf);
        RegisterAccess[] ofPiece = new RegisterAccess[bounds.length - 1];
        helpers.run(helpers.count(), ofPiece.length, () -> {
            int[] seenBy = new int[log.keyCount];
            int[] accessOf = new int[log.keyCount];
            return piece -> {
                ofPiece[piece] =
                        ofPiece.length == 1 ? all : new RegisterAccess(log, reads.versions(), all.firstAccessOf);
                ofPiece[piece].walk(reads, bounds[piece], bounds[piece + 1], seenBy, accessOf);
            };
        });
        if (ofPiece.length > 1) {
            all.join(ofPiece, bounds);
        }
        all.firstAccessOf[log.txnCount] = all.keyOf.size();
        return all;
    }

    /** Returns no accesses. */
    static RegisterAccess none(ReadResolution reads) {
        return new RegisterAccess(reads.log, reads.versions(), new int[reads.log.txnCount + 1]);
    }

    private void join(RegisterAccess[] ofPiece, int[] bounds) {
        for (int piece = 0; piece < ofPiece.length; piece++) {
            for (int txn = bounds[piece]; txn < bounds[piece + 1]; txn++) {
                firstAccessOf[txn] += keyOf.size();
            }
            keyOf.addAll(ofPiece[piece].keyOf);
            foundOf.addAll(ofPiece[piece].foundOf);
            leftOf.addAll(ofPiece[piece].leftOf);
            ofPiece[piece] = null;
        }
    }

    /**
     * @param seenBy scratch by key: the last transaction that touched it, plus one
     * @param accessOf scratch by key: its access by that transaction
     */
    private void walk(ReadResolution reads, int firstTxn, int endTxn, int[] seenBy, int[] accessOf) {
        KeyUse use = reads.use();
        TxnOutcomes outcomes = reads.outcomes();
        for (int txn = firstTxn; txn < endTxn; txn++) {
            firstAccessOf[txn] = keyOf.size();
            if (!outcomes.isCounted(txn)) {
                continue;
            }
            boolean readsCount = log.status[txn] == TxnStatus.COMMITTED;
            for (int op = log.firstOpOf[txn]; op < log.firstOpOf[txn + 1]; op++) {
                int key = log.key[op];
                boolean counts = OpKind.isWrite(log.kind[op]) || readsCount && !OpKind.isGuard(log.kind[op]);
                if (use.of(key) == KeyUse.REGISTER && counts) {
                    add(op, seenBy[key] != txn + 1, accessOf);
                    seenBy[key] = txn + 1;
                }
            }
        }
    }

    private void add(int op, boolean isFirst, int[] accessOf) {
        int key = log.key[op];
        if (isFirst) {
            accessOf[key] = keyOf.size();
            keyOf.add(key);
            foundOf.add(NONE);
            leftOf.add(NONE);
        }
        if (OpKind.isWrite(log.kind[op])) {
            leftOf.set(accessOf[key], usable(versions.ofOp(op)));
        } else if (isFirst) {
            foundOf.set(accessOf[key], usable(versions.ofOp(op)));
        }
    }

    private int usable(int version) {
        boolean isUsable = version != Versions.NONE
                && versions.writer(version) != Versions.SEVERAL
                && !versions.isIntermediate(version);
        return isUsable ? version : NONE;
    }

    private void link(VersionLinks into, int from, int to, VersionSource source, int earlier, int later) {
        if (from == NONE || to == NONE || from == to || versions.isInitial(from)) {
            return;
        }
        into.add(from, to, source, earlier, later);
        if (versions.isInitial(to)) { // nothing precedes it: these two form a cycle
            into.add(to, from, VersionSource.INITIAL_STATE, earlier, earlier);
        }
    }

    /** Receives a version that a transaction found, and the version that it left. */
    @FunctionalInterface
    interface Replacement {
        void see(int found, int left);
    }

    /** Reports each version that a transaction found and replaced, without storing all of them. */
    static void forEachReplaced(ReadResolution reads, Replacement report) {
        OperationLog log = reads.log;
        RegisterAccess rules = new RegisterAccess(log, reads.versions(), new int[0]);
        int[] seenBy = new int[log.keyCount]; // the last transaction that touched the key, plus one
        int[] readOf = new int[log.keyCount]; // its first operation on the key, if that is a read
        for (int txn = 0; txn < log.txnCount; txn++) {
            boolean readsCount = log.status[txn] == TxnStatus.COMMITTED;
            for (int op = log.firstOpOf[txn];
                    op < log.firstOpOf[txn + 1] && reads.outcomes().isCounted(txn);
                    op++) {
                int key = log.key[op];
                boolean isWrite = OpKind.isWrite(log.kind[op]);
                boolean counts = isWrite || readsCount && !OpKind.isGuard(log.kind[op]);
                if (reads.use().of(key) != KeyUse.REGISTER || !counts) {
                    continue;
                }
                if (seenBy[key] != txn + 1) {
                    seenBy[key] = txn + 1;
                    readOf[key] = isWrite ? NONE : op;
                }
                int left = isWrite && readOf[key] != NONE
                        ? rules.usable(reads.versions().ofOp(op))
                        : NONE;
                int found = left == NONE ? NONE : rules.usable(reads.versions().ofOp(readOf[key]));
                if (found != NONE && found != left) {
                    report.see(found, left);
                }
            }
        }
    }

    /** Links, within a transaction, the version found before the version left. */
    void linkWritesToReads(VersionLinks into) {
        for (int txn = 0; txn < log.txnCount; txn++) {
            for (int access = firstAccessOf[txn]; access < firstAccessOf[txn + 1]; access++) {
                int found = foundOf.get(access);
                link(into, found, leftOf.get(access), VersionSource.WRITES_FOLLOW_READS, txn, txn);
            }
        }
    }

    /** Links versions along sessions: each session sees every key go forward, from transaction to transaction. */
    void linkAlongSessions(VersionLinks into, Sessions sessions) {
        int[] lastOf = new int[log.keyCount];
        int[] lastTxnOf = new int[log.keyCount];
        int[] sessionOf = new int[log.keyCount]; // the session that lastOf is of, plus one
        for (int session = 0; session < sessions.count(); session++) {
            for (int i = sessions.first(session); i < sessions.first(session + 1); i++) {
                int txn = sessions.txn(i);
                for (int access = firstAccessOf[txn]; access < firstAccessOf[txn + 1]; access++) {
                    int key = keyOf.get(access);
                    if (sessionOf[key] == session + 1) {
                        link(into, lastOf[key], begin(access), VersionSource.SESSION, lastTxnOf[key], txn);
                    }
                    if (end(access) != NONE) {
                        sessionOf[key] = session + 1;
                        lastOf[key] = end(access);
                        lastTxnOf[key] = txn;
                    }
                }
            }
        }
    }

    private int begin(int access) {
        return foundOf.get(access) != NONE ? foundOf.get(access) : leftOf.get(access);
    }

    private int end(int access) {
        return leftOf.get(access) != NONE ? leftOf.get(access) : foundOf.get(access);
    }

    /*
     * Algorithm. Real time: a version precedes another if some transaction that accessed the former ended before some
     * transaction that accessed the latter began. So of each version only the first end and the last begin matter. In
     * time order, a key's buffer contains the versions that have ended and that no other ended one follows: enough to
     * imply all other links.
     */

    /** Links versions by real time: all clients together observe every key advance. */
    void linkByRealTime(VersionLinks into) {
        if (log.invokeNs == null || log.completeNs == null) {
            return;
        }
        int count = versions.count();
        int[] endedBy = new int[count];
        int[] begunBy = new int[count];
        Arrays.fill(endedBy, NONE);
        Arrays.fill(begunBy, NONE);
        for (int txn = 0; txn < log.txnCount; txn++) {
            for (int access = firstAccessOf[txn]; access < firstAccessOf[txn + 1]; access++) {
                record(foundOf.get(access), txn, endedBy, begunBy);
                record(leftOf.get(access), txn, endedBy, begunBy);
            }
        }
        sweep(into, endedBy, begunBy);
    }

    private void record(int version, int txn, int[] endedBy, int[] begunBy) {
        if (version == NONE) {
            return;
        }
        if (RealTimeOrder.hasEnd(log, txn)
                && (endedBy[version] == NONE || log.completeNs[txn] < log.completeNs[endedBy[version]])) {
            endedBy[version] = txn;
        }
        if (RealTimeOrder.hasBeginning(log, txn)
                && (begunBy[version] == NONE || log.invokeNs[txn] > log.invokeNs[begunBy[version]])) {
            begunBy[version] = txn;
        }
    }

    private void sweep(VersionLinks into, int[] endedBy, int[] begunBy) {
        int count = versions.count();
        int events = 0;
        for (int version = 0; version < count; version++) {
            events += (begunBy[version] != NONE ? 1 : 0) + (endedBy[version] != NONE ? 1 : 0);
        }
        long[] times = new long[events];
        int[] versionOf = new int[events]; // ~version for its first end
        int event = 0;
        for (int version = 0; version < count; version++) { // begins sort first, and so stay before equal ends
            if (begunBy[version] != NONE) {
                times[event] = log.invokeNs[begunBy[version]];
                versionOf[event++] = version;
            }
        }
        for (int version = 0; version < count; version++) {
            if (endedBy[version] != NONE) {
                times[event] = log.completeNs[endedBy[version]];
                versionOf[event++] = ~version;
            }
        }
        RadixSort.sort(times, versionOf, events);
        int[] bufferOf = new int[log.keyCount]; // first version of a key's buffer, or NONE
        int[] nextOf = new int[count];
        Arrays.fill(bufferOf, NONE);
        for (int i = 0; i < events; i++) {
            if (versionOf[i] >= 0) {
                int version = versionOf[i];
                for (int u = bufferOf[versions.key(version)]; u != NONE; u = nextOf[u]) {
                    link(into, u, version, VersionSource.REALTIME, endedBy[u], begunBy[version]);
                }
            } else {
                end(into, ~versionOf[i], endedBy, begunBy, bufferOf, nextOf);
            }
        }
    }

    private void end(VersionLinks into, int version, int[] endedBy, int[] begunBy, int[] bufferOf, int[] nextOf) {
        int key = versions.key(version);
        long begun = begunBy[version] == NONE ? HistorySlice.NONE : log.invokeNs[begunBy[version]];
        boolean beginsLater = begun > log.completeNs[endedBy[version]];
        int kept = NONE;
        for (int u = bufferOf[key]; u != NONE; ) {
            int next = nextOf[u];
            if (log.completeNs[endedBy[u]] < begun) {
                if (beginsLater) {
                    link(into, u, version, VersionSource.REALTIME, endedBy[u], begunBy[version]);
                }
            } else {
                nextOf[u] = kept;
                kept = u;
            }
            u = next;
        }
        nextOf[version] = kept;
        bufferOf[key] = version;
    }
}
