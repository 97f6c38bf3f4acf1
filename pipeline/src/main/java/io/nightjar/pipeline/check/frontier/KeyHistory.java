package io.nightjar.pipeline.check.frontier;

import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.primitive.CountingSort;

/** The writers of each key, session by session, and the last reader of each version in each session. */
final class KeyHistory {

    /*
     * Layout.
     *
     *   writer   by key and transaction: firstWriterOf[key] .. firstWriterOf[key + 1]; since transactions are numbered
     *            session by session, the writers of one session are contiguous
     *   reader   by version and transaction, at most one per session: firstReaderOf[version] .. firstReaderOf[version + 1]
     *   version  write, or writeCount + key for the initial version of a key
     */

    final int[] firstWriterOf;
    final int[] txnOfWriter;
    final int[] writeOfWriter;
    final int[] firstReaderOf;
    final int[] txnOfReader;

    private final ClientHistory history;

    KeyHistory(TxnSteps steps) {
        history = steps.history;
        firstWriterOf = new int[history.keyCount + 1];
        txnOfWriter = new int[history.writeCount];
        writeOfWriter = new int[history.writeCount];
        fillWriters();
        firstReaderOf = new int[history.writeCount + history.keyCount + 1];
        txnOfReader = fillReaders(steps);
    }

    int initialVersionOf(int key) {
        return history.writeCount + key;
    }

    /** Returns where the writers of another session than that of writer {@code first} begin. */
    int endOfSession(int first, int key) {
        int session = history.sessionOf[txnOfWriter[first]];
        int end = first + 1;
        while (end < firstWriterOf[key + 1] && history.sessionOf[txnOfWriter[end]] == session) {
            end++;
        }
        return end;
    }

    /** Returns the last of some writers that is a transaction smaller than {@code txnBound}; {@code first - 1} if none is. */
    int lastWriterBefore(int first, int end, int txnBound) {
        int low = first;
        int high = end;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (txnOfWriter[middle] < txnBound) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }

    private void fillWriters() {
        for (int write = 0; write < history.writeCount; write++) {
            firstWriterOf[history.keyOfWrite[write] + 1]++;
        }
        CountingSort.addUp(firstWriterOf);
        int[] next = firstWriterOf.clone();
        for (int txn = 0; txn < history.txnCount; txn++) {
            for (int write = history.firstWriteOf[txn]; write < history.firstWriteOf[txn + 1]; write++) {
                int writer = next[history.keyOfWrite[write]]++;
                txnOfWriter[writer] = txn;
                writeOfWriter[writer] = write;
            }
        }
    }

    private int[] fillReaders(TxnSteps steps) {
        int versionCount = firstReaderOf.length - 1;
        for (int read = 0; read < history.readCount; read++) {
            if (steps.returnsAVersion(read)) {
                firstReaderOf[versionOf(read, steps) + 1]++;
            }
        }
        CountingSort.addUp(firstReaderOf);
        int[] readers = new int[firstReaderOf[versionCount]];
        int[] next = firstReaderOf.clone();
        for (int txn = 0; txn < history.txnCount; txn++) {
            for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
                if (steps.returnsAVersion(read)) {
                    readers[next[versionOf(read, steps)]++] = txn;
                }
            }
        }
        return keepLastOfSessions(readers);
    }

    private int versionOf(int read, TxnSteps steps) {
        int write = steps.writeOfRead[read];
        return write == TxnSteps.NONE ? initialVersionOf(history.keyOfRead[read]) : write;
    }

    private int[] keepLastOfSessions(int[] readers) {
        int kept = 0;
        for (int version = 0; version < firstReaderOf.length - 1; version++) {
            int first = firstReaderOf[version];
            int end = firstReaderOf[version + 1];
            firstReaderOf[version] = kept;
            for (int reader = first; reader < end; reader++) {
                boolean isLast = reader + 1 == end
                        || history.sessionOf[readers[reader + 1]] != history.sessionOf[readers[reader]];
                if (isLast) {
                    readers[kept++] = readers[reader];
                }
            }
        }
        firstReaderOf[firstReaderOf.length - 1] = kept;
        return readers;
    }
}
