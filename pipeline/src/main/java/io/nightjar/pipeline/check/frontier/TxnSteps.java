package io.nightjar.pipeline.check.frontier;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.infer.ClientHistory;
import java.util.Arrays;

/** The steps that a level arranges in one order: whole transactions, or their snapshots and commits separately. */
final class TxnSteps {

    /*
     * Definitions. A history satisfies PC exactly if it is serializable once each transaction is split into a step that
     * reads and a step that writes, adjacent in the session; and SI if moreover no two transactions that write a common
     * key overlap, from the reading step to the writing step.
     *
     * Layout. Steps are numbered session by session, in session order, as transactions are:
     *
     *   SER      step = txn
     *   PC, SI   step = 2 txn       the snapshot: all reads
     *            step = 2 txn + 1   the commit: all writes
     *
     * Source. docs/papers.md#biswas-enea, sections 4.2 and 4.3
     */

    static final int NONE = ClientHistory.NO_WRITE;

    final ClientHistory history;
    final boolean isSplit;

    /** Whether two writers of a key must not overlap. */
    final boolean forbidsOverlap;

    final int stepCount;

    /** By read: the write that it returned; {@link #NONE} for the initial state, and where only the writer is known. */
    final int[] writeOfRead;

    /** By write: how many reads returned it. */
    final int[] readerCountOf;

    /** By write: number of reads of its key by its transaction. */
    final int[] ownReadCountOf;

    TxnSteps(ClientHistory history, IsolationLevel level) {
        this.history = history;
        isSplit = level != IsolationLevel.SERIALIZABLE;
        forbidsOverlap = level == IsolationLevel.SNAPSHOT_ISOLATION;
        stepCount = isSplit ? Math.multiplyExact(2, history.txnCount) : history.txnCount;
        writeOfRead = history.writesRead();
        readerCountOf = new int[history.writeCount];
        ownReadCountOf = new int[history.writeCount];
        countReaders();
        countOwnReads();
    }

    int snapshotOf(int txn) {
        return isSplit ? 2 * txn : txn;
    }

    int commitOf(int txn) {
        return isSplit ? 2 * txn + 1 : txn;
    }

    int txnOf(int step) {
        return isSplit ? step >> 1 : step;
    }

    int sessionOf(int step) {
        return history.sessionOf[txnOf(step)];
    }

    /** Returns the first step of a session; for the session after the last it is {@link #stepCount}. */
    int firstStepOf(int session) {
        return snapshotOf(history.firstTxnOf[session]);
    }

    boolean isSnapshot(int step) {
        return !isSplit || (step & 1) == 0;
    }

    boolean isCommit(int step) {
        return !isSplit || (step & 1) == 1;
    }

    private void countReaders() {
        for (int write : writeOfRead) {
            if (write != NONE) {
                readerCountOf[write]++;
            }
        }
    }

    private void countOwnReads() {
        int[] writeOfKey = new int[history.keyCount];
        Arrays.fill(writeOfKey, NONE);
        for (int txn = 0; txn < history.txnCount; txn++) {
            for (int write = history.firstWriteOf[txn]; write < history.firstWriteOf[txn + 1]; write++) {
                writeOfKey[history.keyOfWrite[write]] = write;
            }
            for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
                int write = returnsAVersion(read) ? writeOfKey[history.keyOfRead[read]] : NONE;
                if (write >= history.firstWriteOf[txn]) {
                    ownReadCountOf[write]++;
                }
            }
        }
    }

    /** Returns whether a read determines which version of its key was current. */
    boolean returnsAVersion(int read) {
        return writeOfRead[read] != NONE
                || history.writerOf[read] == ClientHistory.INITIAL && history.keyOfRead[read] != ClientHistory.NO_KEY;
    }
}
