package io.nightjar.pipeline.infer;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.primitive.CountingSort;
import io.nightjar.pipeline.primitive.IntColumn;
import io.nightjar.pipeline.primitive.RadixSort;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import java.util.Arrays;

/** Writers that timestamps suggest for the reads of registers, where several transactions wrote the value. */
final class SuggestedWriters {

    /*
     * Definitions. A read is current if it returns the newest version that committed before its transaction did. If all
     * reads of a transaction are current, each returned that version. Otherwise a read returned the version of its
     * snapshot if that has the value, else the newest version with the value before the commit, else the first one.
     *
     * Layout. Final writes of committed transactions by key, in the order of commits.
     *
     * Cost. Linear for reads of recent versions, 12 bytes a write.
     */

    static final int NONE = -1;

    private final OperationLog log;
    private final KeyUse use;
    private final int[] firstOf; // by key, into opAt
    private final int[] opAt; // final writes
    private final int[] txnAt;
    private final int[] wroteOf; // by key: the last transaction that wrote it, plus one

    private SuggestedWriters(ReadResolution reads) {
        log = reads.log;
        use = reads.use();
        wroteOf = new int[log.keyCount];
        IntColumn keys = new IntColumn();
        IntColumn ops = new IntColumn();
        IntColumn txns = new IntColumn();
        for (int txn : inCommitOrder()) {
            for (int op = log.firstOpOf[txn + 1] - 1; op >= log.firstOpOf[txn]; op--) {
                if (log.kind[op] == OpKind.WRITE && wroteOf[log.key[op]] != txn + 1) {
                    wroteOf[log.key[op]] = txn + 1;
                    keys.add(log.key[op]);
                    ops.add(op);
                    txns.add(txn);
                }
            }
        }
        firstOf = CountingSort.firstOf(keys, log.keyCount);
        opAt = CountingSort.entries(keys, firstOf);
        txnAt = new int[opAt.length];
        for (int at = 0; at < opAt.length; at++) {
            txnAt[at] = txns.get(opAt[at]);
            opAt[at] = ops.get(opAt[at]);
        }
        Arrays.fill(wroteOf, 0);
    }

    private int[] inCommitOrder() {
        IntColumn committed = new IntColumn();
        for (int txn = 0; txn < log.txnCount; txn++) {
            if (log.status[txn] == TxnStatus.COMMITTED) {
                committed.add(txn);
            }
        }
        long[] commits = new long[committed.size()];
        int[] txns = new int[commits.length];
        for (int i = 0; i < txns.length; i++) {
            txns[i] = committed.get(i);
            commits[i] = commit(txns[i]);
        }
        RadixSort.sort(commits, txns, txns.length);
        return txns;
    }

    /** Returns the suggested writer by read, as far as one left the value; the log has timestamps. */
    static Int2IntOpenHashMap of(ReadResolution reads) {
        SuggestedWriters writers = new SuggestedWriters(reads);
        Int2IntOpenHashMap suggested = new Int2IntOpenHashMap();
        suggested.defaultReturnValue(NONE);
        for (int txn = 0; txn < writers.log.txnCount; txn++) {
            if (writers.log.status[txn] == TxnStatus.COMMITTED) {
                writers.suggest(txn, suggested);
            }
        }
        return suggested;
    }

    private void suggest(int txn, Int2IntOpenHashMap suggested) {
        IntColumn external = new IntColumn();
        boolean isCurrent = true;
        for (int op = log.firstOpOf[txn]; op < log.firstOpOf[txn + 1]; op++) {
            int key = log.key[op];
            if (OpKind.isWrite(log.kind[op])) {
                wroteOf[key] = txn + 1;
            } else if (use.of(key) == KeyUse.REGISTER && wroteOf[key] != txn + 1) {
                external.add(op);
                isCurrent &= returns(op, newest(key, commit(txn)));
            }
        }
        for (int i = 0; i < external.size(); i++) {
            int op = external.get(i);
            int at = log.kind[op] == OpKind.READ ? version(op, txn, isCurrent) : NONE;
            if (at != NONE) {
                suggested.put(op, txnAt[at]);
            }
        }
    }

    private int version(int op, int txn, boolean isCurrent) {
        int key = log.key[op];
        int ofCommit = newest(key, commit(txn));
        if (isCurrent) {
            return ofCommit;
        }
        long start = log.startTs[txn];
        int ofSnapshot = start == Long.MAX_VALUE ? ofCommit : newest(key, start + 1);
        if (ofSnapshot != NONE && returns(op, ofSnapshot)) {
            return ofSnapshot;
        }
        for (int at = ofCommit; at != NONE && at >= firstOf[key]; at--) {
            if (returns(op, at)) {
                return at;
            }
        }
        for (int at = ofCommit == NONE ? firstOf[key] : ofCommit + 1; at < firstOf[key + 1]; at++) {
            if (returns(op, at) && txnAt[at] != txn) {
                return at;
            }
        }
        return NONE;
    }

    private boolean returns(int read, int at) {
        return at == NONE
                ? log.kind[read] == OpKind.READ_NOTHING
                : log.kind[read] == OpKind.READ && log.value[read] == log.value[opAt[at]];
    }

    /** Returns the newest version of a key that committed before a time. */
    private int newest(int key, long time) {
        int low = firstOf[key];
        int high = firstOf[key + 1];
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (commit(txnAt[middle]) < time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == firstOf[key] ? NONE : low - 1;
    }

    private long commit(int txn) {
        return log.commitTs[txn] == HistorySlice.NONE ? log.startTs[txn] : log.commitTs[txn];
    }
}
