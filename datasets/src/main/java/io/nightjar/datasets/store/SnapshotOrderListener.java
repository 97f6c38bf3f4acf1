package io.nightjar.datasets.store;

/** Hears which snapshots must be taken before which commits, so that what was read was the newest. */
@FunctionalInterface
public interface SnapshotOrderListener {

    /** The snapshot of one session's committed transaction comes before the commit of another's. */
    void snapshotBeforeCommit(int session, int place, int otherSession, int otherPlace);
}
