package io.nightjar.pipeline.check.weak;

import io.nightjar.formats.history.SetsFields;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.infer.ClientHistory;
import java.util.Arrays;

/** Read committed: who has read something from a writer of a key does not read an older version of the key after that. */
final class ReadCommittedRule implements WeakRule {

    /*
     * Definitions. Transaction t3 reads x from t1, and before that anything from t2, which writes x too: then t2 comes
     * before t1.
     *
     * Algorithm. Only minimal edges are derived. The reads of t3 are walked from the last to the first. For each key
     * read further on, nearestOf contains the writer of its next read and secondOf the next other writer; the rest
     * follows from those, as they come before their successors by the same rule. If t3 reads from t2 for the first
     * time, the keys that t2 writes are intersected with the keys read further on, from the smaller side.
     *
     * Cost. O(n^1.5) for n operations in all.
     *
     * Source. docs/papers.md#biswas-enea, figure 2; docs/papers.md#awdit
     */

    private static final int BUDGET_MASK = 0xFFF;

    private final ClientHistory history;
    private final WriteSets writeSets;
    private LevelEdges edges;

    /** By writer: the first read of it in the current transaction; a read of another writer if none yet. */
    private final int[] firstSeenAt;

    /** By key: the transaction, plus one, for which the next two hold. */
    private final int[] readFurtherOnIn;

    private final int[] nearestOf;
    private final int[] secondOf;

    private int[] keysFurtherOn = new int[16];
    private int keyCountFurtherOn;

    ReadCommittedRule(ClientHistory history, WriteSets writeSets) {
        this.history = history;
        this.writeSets = writeSets;
        this.firstSeenAt = new int[history.txnCount];
        Arrays.fill(firstSeenAt, -1);
        this.readFurtherOnIn = new int[history.keyCount];
        this.nearestOf = new int[history.keyCount];
        this.secondOf = new int[history.keyCount];
    }

    /** Derives the edges of a piece, which is some transactions. */
    @Override
    @SetsFields
    public boolean derive(int firstTxn, int endTxn, LevelEdges into, Budget budget) {
        edges = into;
        for (int txn = firstTxn; txn < endTxn; txn++) {
            if ((txn & BUDGET_MASK) == 0 && budget.isSpent()) {
                return false;
            }
            if (history.firstReadOf[txn + 1] - history.firstReadOf[txn] > 1) {
                deriveFrom(txn);
            }
        }
        return true;
    }

    private void deriveFrom(int reader) {
        int first = history.firstReadOf[reader];
        int end = history.firstReadOf[reader + 1];
        int[] writerOf = history.writerOf;
        for (int read = first; read < end; read++) {
            int writer = writerOf[read];
            if (writer != ClientHistory.INITIAL && (firstSeenAt[writer] < first || firstSeenAt[writer] >= end)) {
                firstSeenAt[writer] = read;
            }
        }
        keyCountFurtherOn = 0;
        for (int read = end - 1; read >= first; read--) {
            int writer = writerOf[read];
            if (writer != ClientHistory.INITIAL && firstSeenAt[writer] == read && keyCountFurtherOn > 0) {
                intersect(writer, reader);
            }
            if (history.keyOfRead[read] != ClientHistory.NO_KEY) {
                recordFurtherOn(history.keyOfRead[read], writer, reader);
            }
        }
    }

    private void recordFurtherOn(int key, int writer, int reader) {
        if (readFurtherOnIn[key] != reader + 1) {
            readFurtherOnIn[key] = reader + 1;
            nearestOf[key] = writer;
            secondOf[key] = TxnConstants.NONE;
            if (keyCountFurtherOn == keysFurtherOn.length) {
                keysFurtherOn = Arrays.copyOf(keysFurtherOn, 2 * keyCountFurtherOn);
            }
            keysFurtherOn[keyCountFurtherOn++] = key;
        } else if (nearestOf[key] != writer) {
            secondOf[key] = nearestOf[key];
            nearestOf[key] = writer;
        }
    }

    private void intersect(int seen, int reader) {
        int firstWrite = history.firstWriteOf[seen];
        int endOfWrites = history.firstWriteOf[seen + 1];
        if (endOfWrites - firstWrite <= keyCountFurtherOn) {
            for (int write = firstWrite; write < endOfWrites; write++) {
                int key = history.keyOfWrite[write];
                if (readFurtherOnIn[key] == reader + 1) {
                    force(seen, key, reader);
                }
            }
        } else {
            for (int i = 0; i < keyCountFurtherOn; i++) {
                if (writeSets.writes(seen, keysFurtherOn[i])) {
                    force(seen, keysFurtherOn[i], reader);
                }
            }
        }
    }

    private void force(int seen, int key, int reader) {
        int writer = nearestOf[key] == seen ? secondOf[key] : nearestOf[key];
        if (writer == ClientHistory.INITIAL) {
            edges.addStaleRead(seen, reader, key);
        } else if (writer != TxnConstants.NONE) {
            edges.add(seen, writer);
        }
    }
}
