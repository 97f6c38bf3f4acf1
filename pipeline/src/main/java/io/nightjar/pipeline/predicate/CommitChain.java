package io.nightjar.pipeline.predicate;

import io.nightjar.pipeline.graph.DigraphBuilder;

/** The commits of a history in the order of time, which represents all dependencies implied by time. */
final class CommitChain {

    /*
     * Definitions. A transaction that committed before another transaction began precedes it. As edges these would be
     * as many as pairs.
     *
     * Layout. As a chain they are three edges per transaction: from it to its commit, from there to the next commit,
     * and from the last commit before a start to the transaction that starts.
     *
     * Invariant. A dependency that agrees with that order is implied by the chain. So a cycle of dependencies is a
     * cycle of the chain and of the dependencies that do not agree. The latter are few: their transactions overlap, or
     * the history has very many errors.
     */

    private final TableHistory history;
    private final TableVersions versions;
    private final TimeOrder commits; // of the transactions that count

    CommitChain(TableHistory history, TableVersions versions) {
        this.history = history;
        this.versions = versions;
        this.commits = TimeOrder.of(history.txnCount, txn -> versions.counts[txn], versions::commitTs);
    }

    /** Returns whether timestamps are complete, and no transaction started after it committed. */
    static boolean fits(TableHistory history, TableVersions versions) {
        for (int txn = 0; versions.areTimestampsComplete && txn < history.txnCount; txn++) {
            if (versions.counts[txn] && history.startTs[txn] > versions.commitTs(txn)) {
                return false;
            }
        }
        return versions.areTimestampsComplete;
    }

    /** Returns whether one transaction committed before another began, so that the chain implies the order. */
    boolean agrees(int from, int to) {
        return versions.commitTs(from) < history.startTs[to];
    }

    /** Returns the number of vertices that {@link #addTo} adds to one per transaction. */
    int vertexCount() {
        return commits.count();
    }

    /** Adds the chain to a graph whose first vertices are the transactions. */
    void addTo(DigraphBuilder graph) {
        int first = history.txnCount;
        for (int at = 0; at < commits.count(); at++) {
            int txn = commits.items()[at];
            graph.add(txn, first + at);
            if (at > 0) {
                graph.add(first + at - 1, first + at);
            }
            int last = commits.firstAt(history.startTs[txn]) - 1;
            if (last >= 0) {
                graph.add(first + last, txn);
            }
        }
    }
}
