package io.nightjar.pipeline.check.frontier;

import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.infer.ClientHistory;

/** Derivation of precedences from known precedences, until none is new. */
final class EdgeDerivation {

    /*
     * Definitions. A step has a row: for each session, the position from which steps need not come before it.
     *
     *   r read x from w, and w' of x is in r's row      w' before w; if w is the initial state no order exists
     *   t writes x, and w of x is in t's row            a transaction that read x from w comes before t, also if w is initial
     *   SI: t writes x, and w' of x has taken its       w' commits before the snapshot of t, since they must not overlap
     *   snapshot in the row of t's commit
     *
     * Algorithm. Rows are filled in an order that respects all known precedences, then the rules are applied to the row
     * of each read and write. Only the last writer of each session counts: the earlier ones follow by session order.
     * Rounds are repeated until no row yields a new precedence.
     *
     * Invariant. Every derived precedence is true in every order of the level, so the search loses no solution.
     */

    private static final long MAX_CELLS = 1 << 25;
    private static final long MAX_LOOKUPS = 1 << 28;
    private static final int STEPS_PER_TIME_CHECK = 0xFF;

    private final TxnSteps steps;
    private final ClientHistory history;
    private final Precedence precedence;
    private final Budget budget;
    private final int sessionCount;
    private final KeyHistory keys;

    /** By step and session: {@code step * sessionCount + session}. */
    private final int[] rows;

    private boolean hasAdded;
    private boolean isImpossible;

    EdgeDerivation(TxnSteps steps, Precedence precedence, Budget budget) {
        this.steps = steps;
        this.precedence = precedence;
        this.budget = budget;
        history = steps.history;
        sessionCount = history.sessionCount;
        keys = new KeyHistory(steps);
        rows = new int[steps.stepCount * sessionCount];
        for (int step = 0; step < steps.stepCount; step++) {
            for (int session = 0; session < sessionCount; session++) {
                rows[step * sessionCount + session] = steps.firstStepOf(session);
            }
            rows[step * sessionCount + steps.sessionOf(step)] = step;
        }
    }

    /** Returns whether rows fit and rounds end in time. */
    static boolean isWorthwhile(TxnSteps steps) {
        ClientHistory history = steps.history;
        long lookups = ((long) history.readCount + history.writeCount) * history.sessionCount;
        return (long) steps.stepCount * history.sessionCount <= MAX_CELLS && lookups <= MAX_LOOKUPS;
    }

    /** Adds all derived precedences; returns false if they prove that no order exists. */
    boolean run() {
        do {
            if (!precedence.sort()) {
                return false;
            }
            fillRows();
            hasAdded = false;
            deriveAll();
            if (isImpossible) {
                return false;
            }
        } while (hasAdded && !budget.isSpent());
        return !hasAdded || precedence.sort();
    }

    /** Returns the number of steps known to precede a step. */
    long rank(int step) {
        long sum = 0;
        for (int session = 0; session < sessionCount; session++) {
            sum += rows[step * sessionCount + session] - steps.firstStepOf(session);
        }
        return sum;
    }

    private void fillRows() {
        for (int i = 0; i < precedence.orderedCount; i++) {
            int step = precedence.order[i];
            int next = step + 1;
            if (next < steps.stepCount && steps.sessionOf(next) == steps.sessionOf(step)) {
                raise(next, step);
            }
            for (int edge = precedence.firstSuccessorOf[step]; edge < precedence.firstSuccessorOf[step + 1]; edge++) {
                raise(precedence.successorOf[edge], step);
            }
        }
    }

    private void raise(int step, int before) {
        int row = step * sessionCount;
        int rowBefore = before * sessionCount;
        for (int session = 0; session < sessionCount; session++) {
            rows[row + session] = Math.max(rows[row + session], rows[rowBefore + session]);
        }
        int index = row + steps.sessionOf(before);
        rows[index] = Math.max(rows[index], before + 1);
    }

    private void deriveAll() {
        for (int txn = 0; txn < history.txnCount && !isImpossible; txn++) {
            if ((txn & STEPS_PER_TIME_CHECK) == 0 && budget.isSpent()) {
                return;
            }
            for (int read = history.firstReadOf[txn]; read < history.firstReadOf[txn + 1]; read++) {
                if (steps.returnsAVersion(read)) {
                    deriveFromRead(txn, read);
                }
            }
            for (int write = history.firstWriteOf[txn]; write < history.firstWriteOf[txn + 1]; write++) {
                deriveFromWrite(txn, history.keyOfWrite[write]);
            }
        }
    }

    private void deriveFromRead(int reader, int read) {
        int key = history.keyOfRead[read];
        int row = steps.snapshotOf(reader) * sessionCount;
        int end;
        for (int first = keys.firstWriterOf[key]; first < keys.firstWriterOf[key + 1]; first = end) {
            end = keys.endOfSession(first, key);
            int last = keys.lastWriterBefore(first, end, committedBefore(row, first));
            if (last < first || keys.txnOfWriter[last] == history.writerOf[read]) {
                continue;
            }
            if (history.writerOf[read] == ClientHistory.INITIAL) {
                isImpossible = true;
                return;
            }
            addBefore(steps.commitOf(keys.txnOfWriter[last]), steps.commitOf(history.writerOf[read]));
        }
    }

    private void deriveFromWrite(int writer, int key) {
        int commit = steps.commitOf(writer);
        int row = commit * sessionCount;
        addReadersBefore(keys.initialVersionOf(key), commit);
        int end;
        for (int first = keys.firstWriterOf[key]; first < keys.firstWriterOf[key + 1]; first = end) {
            end = keys.endOfSession(first, key);
            int last = keys.lastWriterBefore(first, end, committedBefore(row, first));
            if (last >= first) {
                addReadersBefore(keys.writeOfWriter[last], commit);
            }
            if (steps.forbidsOverlap && history.sessionOf[keys.txnOfWriter[first]] != history.sessionOf[writer]) {
                int lastBegun = keys.lastWriterBefore(first, end, begunBefore(row, first));
                if (lastBegun >= first) {
                    addBefore(steps.commitOf(keys.txnOfWriter[lastBegun]), steps.snapshotOf(writer));
                }
            }
        }
    }

    /** Returns a bound: transactions of the session of a writer whose commit is in a row are those smaller than it. */
    private int committedBefore(int row, int writer) {
        int end = rows[row + history.sessionOf[keys.txnOfWriter[writer]]];
        return steps.isSplit ? end >> 1 : end;
    }

    /**
     * Returns a bound: transactions of the session of a writer whose snapshot is in a row are those smaller than it.
     */
    private int begunBefore(int row, int writer) {
        int end = rows[row + history.sessionOf[keys.txnOfWriter[writer]]];
        return (end + 1) >> 1;
    }

    private void addReadersBefore(int version, int commit) {
        for (int reader = keys.firstReaderOf[version]; reader < keys.firstReaderOf[version + 1]; reader++) {
            int snapshot = steps.snapshotOf(keys.txnOfReader[reader]);
            if (snapshot != commit) {
                addBefore(snapshot, commit);
            }
        }
    }

    private void addBefore(int from, int to) {
        int cell = to * sessionCount + steps.sessionOf(from);
        if (rows[cell] <= from) {
            rows[cell] = from + 1;
            precedence.add(from, to);
            hasAdded = true;
        }
    }
}
