package io.nightjar.datasets.store;

/** Receives which snapshots must be taken before which commits, so that each read returned the newest version. */
@FunctionalInterface
public interface SnapshotOrderListener {

    /** Takes a fact: the snapshot of one session's committed transaction precedes the commit of another's. */
    void snapshotBeforeCommit(int session, int position, int otherSession, int otherPosition);
}
