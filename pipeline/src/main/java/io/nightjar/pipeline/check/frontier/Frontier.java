package io.nightjar.pipeline.check.frontier;

import io.nightjar.pipeline.infer.ClientHistory;

/** Progress of each session in an order under construction, and the steps that may come next. */
final class Frontier {

    /*
     * Definitions. A step is a transaction, or its snapshot or commit (TxnSteps). A frontier is the set of steps that
     * have happened: a position in each session. A key is open between the snapshot and the commit of one of its
     * writers.
     *
     * Layout. Versions are not stored. If a transaction has still to read the current version of a key, all such reads
     * return it; a later version of any other key is read only by transactions that follow its writer. So it is enough
     * to count, by key:
     *
     *   pendingOf[key]     reads of existing versions (including the initial one) by steps that have not happened
     *
     * For the set of failed frontiers, positions are packed into words, with as many bits per session as it needs.
     *
     * Algorithm. A writer of a key may come next if nothing is pending but its own reads; a reader, if its writers have
     * happened: that their versions are still current follows. With conflicts forbidden, a snapshot may come next if no
     * key that it is going to write is open. Some moves need no choice: if a complete order exists, one exists that
     * makes them at once.
     *
     *   a step that only reads, and in SI one whose keys no other transaction has still to write: it blocks no transaction
     *   a write that no transaction reads, or after which no transaction writes the key: it makes no transaction wait
     *   in SI, a commit: its keys are open, so no other transaction could write them before
     */

    private final TxnSteps steps;
    private final ClientHistory history;
    private final boolean isSplit;
    private final boolean forbidsOverlap;
    private final int[] firstSuccessorOf;
    private final int[] successorOf;

    /** By session: the next step, or where the next session begins. */
    private final int[] nextStepOf;

    private final int[] endStepOf;
    private final int[] waitsFor;
    private final int[] pendingOf;

    /** By key: writers that have not happened. */
    private final int[] writersToComeOf;

    /** By key. */
    private final boolean[] isOpen;

    private final int[] wordOf;
    private final long[] unitOf;
    private final long[] packed;

    Frontier(TxnSteps steps, Precedence precedence) {
        this.steps = steps;
        history = steps.history;
        isSplit = steps.isSplit;
        forbidsOverlap = steps.forbidsOverlap;
        firstSuccessorOf = precedence.firstSuccessorOf;
        successorOf = precedence.successorOf;
        waitsFor = precedence.countPredecessors();
        nextStepOf = new int[history.sessionCount];
        endStepOf = new int[history.sessionCount];
        wordOf = new int[history.sessionCount];
        unitOf = new long[history.sessionCount];
        packed = new long[layOut()];
        pendingOf = new int[history.keyCount];
        writersToComeOf = new int[history.keyCount];
        isOpen = new boolean[history.keyCount];
        for (int read = 0; read < history.readCount; read++) {
            if (history.writerOf[read] == ClientHistory.INITIAL && steps.returnsAVersion(read)) {
                pendingOf[history.keyOfRead[read]]++;
            }
        }
        for (int write = 0; write < history.writeCount; write++) {
            writersToComeOf[history.keyOfWrite[write]]++;
        }
    }

    private int layOut() {
        int word = 0;
        int used = 0;
        for (int session = 0; session < history.sessionCount; session++) {
            nextStepOf[session] = steps.firstStepOf(session);
            endStepOf[session] = steps.firstStepOf(session + 1);
            int bits = Integer.SIZE - Integer.numberOfLeadingZeros(endStepOf[session] - nextStepOf[session]);
            if (used + bits > Long.SIZE) {
                word++;
                used = 0;
            }
            wordOf[session] = word;
            unitOf[session] = 1L << used;
            used += bits;
        }
        return word + 1;
    }

    /** Returns the positions; belongs to the frontier and changes with it. */
    long[] packed() {
        return packed;
    }

    /** Returns the next step of a session, or {@link TxnSteps#NONE}. */
    int next(int session) {
        return nextStepOf[session] < endStepOf[session] ? nextStepOf[session] : TxnSteps.NONE;
    }

    // ---------------------------------------------------------------- possible steps

    /** @param step the next one of its session */
    boolean mayHappen(int step) {
        if (waitsFor[step] > 0) {
            return false;
        }
        int txn = steps.txnOf(step);
        if (steps.isCommit(step)) {
            return !isAwaited(txn, !isSplit);
        }
        return !forbidsOverlap || !touchesAnOpenKey(txn);
    }

    /** Returns whether another transaction has a pending read of a version that the transaction overwrites. */
    private boolean isAwaited(int txn, boolean readsAtOnce) {
        for (int write = history.firstWriteOf[txn]; write < history.firstWriteOf[txn + 1]; write++) {
            int ownReads = readsAtOnce ? steps.ownReadCountOf[write] : 0;
            if (pendingOf[history.keyOfWrite[write]] > ownReads) {
                return true;
            }
        }
        return false;
    }

    private boolean touchesAnOpenKey(int txn) {
        for (int write = history.firstWriteOf[txn]; write < history.firstWriteOf[txn + 1]; write++) {
            if (isOpen[history.keyOfWrite[write]]) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether nothing is lost by taking it at once.
     *
     * @param step one that may happen
     */
    boolean isForced(int step) {
        int txn = steps.txnOf(step);
        if (!isSplit) {
            return blocksNone(txn);
        }
        if (steps.isCommit(step)) {
            return forbidsOverlap || blocksNone(txn);
        }
        return !forbidsOverlap
                || writesAlone(txn)
                || waitsFor[step + 1] == 0 && blocksNone(txn) && !isAwaited(txn, true);
    }

    private boolean blocksNone(int txn) {
        for (int write = history.firstWriteOf[txn]; write < history.firstWriteOf[txn + 1]; write++) {
            if (steps.readerCountOf[write] > 0 && writersToComeOf[history.keyOfWrite[write]] > 1) {
                return false;
            }
        }
        return true;
    }

    private boolean writesAlone(int txn) {
        for (int write = history.firstWriteOf[txn]; write < history.firstWriteOf[txn + 1]; write++) {
            if (writersToComeOf[history.keyOfWrite[write]] > 1) {
                return false;
            }
        }
        return true;
    }

    // ---------------------------------------------------------------- moving

    void happen(int step) {
        int txn = steps.txnOf(step);
        if (steps.isSnapshot(step)) {
            read(txn, -1);
        }
        if (steps.isCommit(step)) {
            write(txn, 1);
        }
        if (forbidsOverlap) {
            open(txn, steps.isSnapshot(step));
        }
        for (int i = firstSuccessorOf[step]; i < firstSuccessorOf[step + 1]; i++) {
            waitsFor[successorOf[i]]--;
        }
        int session = steps.sessionOf(step);
        nextStepOf[session]++;
        packed[wordOf[session]] += unitOf[session];
    }

    /** @param step the last step that happened */
    void undo(int step) {
        int session = steps.sessionOf(step);
        nextStepOf[session]--;
        packed[wordOf[session]] -= unitOf[session];
        for (int i = firstSuccessorOf[step]; i < firstSuccessorOf[step + 1]; i++) {
            waitsFor[successorOf[i]]++;
        }
        int txn = steps.txnOf(step);
        if (forbidsOverlap) {
            open(txn, steps.isCommit(step));
        }
        if (steps.isCommit(step)) {
            write(txn, -1);
        }
        if (steps.isSnapshot(step)) {
            read(txn, 1);
        }
    }

    private void read(int txn, int change) {
        for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
            if (steps.returnsAVersion(read)) {
                pendingOf[history.keyOfRead[read]] += change;
            }
        }
    }

    private void write(int txn, int change) {
        for (int write = history.firstWriteOf[txn]; write < history.firstWriteOf[txn + 1]; write++) {
            int key = history.keyOfWrite[write];
            pendingOf[key] += change * steps.readerCountOf[write];
            writersToComeOf[key] -= change;
        }
    }

    private void open(int txn, boolean opens) {
        for (int write = history.firstWriteOf[txn]; write < history.firstWriteOf[txn + 1]; write++) {
            isOpen[history.keyOfWrite[write]] = opens;
        }
    }
}
