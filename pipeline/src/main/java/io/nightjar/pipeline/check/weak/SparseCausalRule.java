package io.nightjar.pipeline.check.weak;

import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.infer.ClientHistory;

/** The causal rule for writers that only a few transactions ever follow: each one's followers are simply visited. */
final class SparseCausalRule {

    /*
     * Definitions. The future of a writer is the set of transactions that follow it causally. The future of most
     * writers includes nearly all later transactions, that of the others only a few.
     *
     * Algorithm. A breadth-first search that stops early distinguishes them. The edges of a small future are derived
     * during the search: t3 in it reads a key that the writer writes, from t1 outside of its future.
     */

    private static final int FEW = 96;
    private static final int BUDGET_MASK = 0x3FF;

    private final ClientHistory history;
    private final WriteSets writeSets;
    private final LevelEdges edges;
    private final Followers followers;

    /** By transaction: the last writer, plus one, in whose future it was found. */
    private final int[] inFutureOf;

    private final int[] future = new int[FEW + 1];
    private int futureCount;

    SparseCausalRule(ClientHistory history, WriteSets writeSets, LevelEdges edges) {
        this.history = history;
        this.writeSets = writeSets;
        this.edges = edges;
        this.followers = Followers.of(history);
        this.inFutureOf = new int[history.txnCount];
    }

    /**
     * Derives the edges forced by writers with a small future.
     *
     * @param hasLargeFuture receives which writers have a large future and remain
     * @return false if the budget is spent
     */
    boolean derive(boolean[] hasLargeFuture, Budget budget) {
        for (int txn = 0; txn < history.txnCount; txn++) {
            if ((txn & BUDGET_MASK) == 0 && budget.isSpent()) {
                return false;
            }
            if (history.firstWriteOf[txn] < history.firstWriteOf[txn + 1]) {
                hasLargeFuture[txn] = !visit(txn);
                for (int i = 1; !hasLargeFuture[txn] && i < futureCount; i++) {
                    check(txn, future[i]);
                }
            }
        }
        return true;
    }

    /** Collects the future of a transaction, itself first; false if it is large. */
    private boolean visit(int from) {
        futureCount = 0;
        future[futureCount++] = from;
        inFutureOf[from] = from + 1;
        for (int next = 0; next < futureCount; next++) {
            int txn = future[next];
            for (int i = followers.firstFollowerOf[txn]; i < followers.firstFollowerOf[txn + 1]; i++) {
                int follower = followers.followers[i];
                if (inFutureOf[follower] != from + 1) {
                    if (futureCount > FEW) {
                        return false;
                    }
                    inFutureOf[follower] = from + 1;
                    future[futureCount++] = follower;
                }
            }
        }
        return true;
    }

    private void check(int seen, int reader) {
        for (int read = history.firstReadOf[reader]; read < history.firstReadOf[reader + 1]; read++) {
            int key = history.keyOfRead[read];
            int writer = history.writerOf[read];
            boolean isBefore = writer == ClientHistory.INITIAL || inFutureOf[writer] != seen + 1;
            if (isBefore && key != ClientHistory.NO_KEY && writeSets.writes(seen, key)) {
                if (writer == ClientHistory.INITIAL) {
                    edges.addStaleRead(seen, reader, key);
                } else {
                    edges.add(seen, writer);
                }
            }
        }
    }
}
