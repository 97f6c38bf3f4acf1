package io.nightjar.pipeline.check.weak;

import io.nightjar.formats.history.SetsFields;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.infer.ClientHistory;
import java.util.Arrays;

/** Read atomic: no transaction reads an older version of a key than its session wrote, or than a transaction it read from wrote. */
final class ReadAtomicRule implements WeakRule {

    /*
     * Definitions. Transaction t3 reads x from t1; t2 writes x too, and is earlier in the session of t3 or read by it:
     * then t2 comes before t1.
     *
     * Algorithm. Only minimal edges are derived. Of the session only the last writer of each key counts, since the
     * earlier writers come before it. Of the transactions read from, the keys they write are intersected with the keys
     * read, from the smaller side. A key read from two writers forces each before the other.
     *
     * Cost. O(n^1.5) for n operations in all.
     *
     * Source. docs/papers.md#biswas-enea, figure 2; docs/papers.md#awdit
     */

    private static final int BUDGET_MASK = 0xFFF;

    private final ClientHistory history;
    private final WriteSets writeSets;
    private LevelEdges edges;

    /** By writer: the last transaction, plus one, that was found to read from it. */
    private final int[] seenIn;

    /** By key: the transaction, plus one, for which writerRead holds. */
    private final int[] readIn;

    private final int[] writerRead;

    /** By key: the session, plus one, for which lastWriterOf holds. */
    private final int[] writtenIn;

    private final int[] lastWriterOf;

    private int[] keysRead = new int[16];
    private int keysReadCount;

    ReadAtomicRule(ClientHistory history, WriteSets writeSets) {
        this.history = history;
        this.writeSets = writeSets;
        this.seenIn = new int[history.txnCount];
        this.readIn = new int[history.keyCount];
        this.writerRead = new int[history.keyCount];
        this.writtenIn = new int[history.keyCount];
        this.lastWriterOf = new int[history.keyCount];
    }

    /** Derives the edges of whole sessions, since the writes of a session are stored. */
    @Override
    @SetsFields
    public boolean derive(int firstSession, int endSession, LevelEdges into, Budget budget) {
        edges = into;
        for (int txn = history.firstTxnOf[firstSession]; txn < history.firstTxnOf[endSession]; txn++) {
            if ((txn & BUDGET_MASK) == 0 && budget.isSpent()) {
                return false;
            }
            recordReads(txn);
            forceSession(txn);
            forceWritersRead(txn);
            for (int write = history.firstWriteOf[txn]; write < history.firstWriteOf[txn + 1]; write++) {
                writtenIn[history.keyOfWrite[write]] = history.sessionOf[txn] + 1;
                lastWriterOf[history.keyOfWrite[write]] = txn;
            }
        }
        return true;
    }

    private void recordReads(int reader) {
        keysReadCount = 0;
        for (int read = history.firstReadOf[reader]; read < history.firstReadOf[reader + 1]; read++) {
            int key = history.keyOfRead[read];
            int writer = history.writerOf[read];
            if (key == ClientHistory.NO_KEY) {
                continue;
            }
            if (readIn[key] != reader + 1) {
                readIn[key] = reader + 1;
                writerRead[key] = writer;
                if (keysReadCount == keysRead.length) {
                    keysRead = Arrays.copyOf(keysRead, 2 * keysReadCount);
                }
                keysRead[keysReadCount++] = key;
            } else if (writerRead[key] != writer) {
                force(writer, writerRead[key], reader, key);
                force(writerRead[key], writer, reader, key);
            }
        }
    }

    private void forceSession(int reader) {
        int session = history.sessionOf[reader] + 1;
        for (int i = 0; i < keysReadCount; i++) {
            int key = keysRead[i];
            if (writtenIn[key] == session && lastWriterOf[key] != writerRead[key]) {
                force(lastWriterOf[key], writerRead[key], reader, key);
            }
        }
    }

    private void forceWritersRead(int reader) {
        for (int read = history.firstReadOf[reader]; read < history.firstReadOf[reader + 1]; read++) {
            int seen = history.writerOf[read];
            if (seen == ClientHistory.INITIAL || seenIn[seen] == reader + 1) {
                continue;
            }
            seenIn[seen] = reader + 1;
            int firstWrite = history.firstWriteOf[seen];
            int endOfWrites = history.firstWriteOf[seen + 1];
            if (endOfWrites - firstWrite <= keysReadCount) {
                for (int write = firstWrite; write < endOfWrites; write++) {
                    int key = history.keyOfWrite[write];
                    if (readIn[key] == reader + 1 && writerRead[key] != seen) {
                        force(seen, writerRead[key], reader, key);
                    }
                }
            } else {
                for (int i = 0; i < keysReadCount; i++) {
                    if (writerRead[keysRead[i]] != seen && writeSets.writes(seen, keysRead[i])) {
                        force(seen, writerRead[keysRead[i]], reader, keysRead[i]);
                    }
                }
            }
        }
    }

    private void force(int seen, int writer, int reader, int key) {
        if (seen == ClientHistory.INITIAL) {
            return; // before everything anyway
        }
        if (writer == ClientHistory.INITIAL) {
            edges.addStaleRead(seen, reader, key);
        } else if (history.sessionOf[seen] != history.sessionOf[writer] || seen > writer) {
            edges.add(seen, writer);
        }
    }
}
