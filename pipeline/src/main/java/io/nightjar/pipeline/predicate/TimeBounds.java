package io.nightjar.pipeline.predicate;

/** Tells how far along the versions of a key dependencies are to be looked for that commits do not order anyway. */
final class TimeBounds {

    private final TableHistory history;
    private final TableVersions versions;
    private final long[] latestCommitTo; // by slot: of it and those in front of it
    private final long[] earliestStartFrom; // by slot: of it and those behind it

    TimeBounds(TableHistory history, TableVersions versions) {
        this.history = history;
        this.versions = versions;
        int slots = versions.opOf.length;
        latestCommitTo = new long[slots];
        earliestStartFrom = new long[slots];
        for (int key = 0; key < history.keyCount(); key++) {
            long latest = Long.MIN_VALUE;
            for (int slot = versions.firstOf[key]; slot < versions.firstOf[key + 1]; slot++) {
                latest = Math.max(latest, versions.commitTs(versions.txnOf[slot]));
                latestCommitTo[slot] = latest;
            }
            long earliest = Long.MAX_VALUE;
            for (int slot = versions.firstOf[key + 1] - 1; slot >= versions.firstOf[key]; slot--) {
                earliest = Math.min(earliest, history.startTs[versions.txnOf[slot]]);
                earliestStartFrom[slot] = earliest;
            }
        }
    }

    /** Whether a version, or one in front of it, may be of somebody who committed no earlier than a transaction started. */
    boolean mayCommitAfterStart(int slot, int txn) {
        return latestCommitTo[slot] >= history.startTs[txn];
    }

    /** Whether a version, or one behind it, may be of somebody who started no later than a transaction committed. */
    boolean mayStartBeforeCommit(int slot, int txn) {
        return earliestStartFrom[slot] <= versions.commitTs(txn);
    }
}
