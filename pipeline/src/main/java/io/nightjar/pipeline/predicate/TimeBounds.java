package io.nightjar.pipeline.predicate;

/** Bounds on the position, among the versions of a key, of versions by transactions that ran at some time. */
final class TimeBounds {

    private final long[] latestCommitTo; // by slot: of it and those in front of it
    private final long[] earliestStartFrom; // by slot: of it and all later ones
    private long low;
    private long high;

    TimeBounds(TableHistory history, TableVersions versions) {
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

    /** Selects the transactions that committed at or after one time and started at or before another. */
    void between(long earliestCommit, long latestStart) {
        low = earliestCommit;
        high = latestStart;
    }

    /** Returns whether a version, or one in front of it, may be of one of those. */
    boolean reachesBack(int slot) {
        return latestCommitTo[slot] >= low;
    }

    /** Returns whether a version, or a later one, may be of a selected transaction. */
    boolean reachesOn(int slot) {
        return earliestStartFrom[slot] <= high;
    }
}
