package io.nightjar.pipeline.check.timestamp;

import io.nightjar.pipeline.partition.LaneOp;
import io.nightjar.pipeline.primitive.CountingSort;

/** Versions of the keys of a lane, shown in the commit order with the versions that reads returned. */
abstract class LaneVersions {

    /*
     * Layout. The versions of a key are contiguous, in commit order; the number before its first version represents the
     * initial state. Of transactions that commit together, read-only ones are last.
     *
     * Algorithm. A read is of the snapshot's version if that has the value, else of the newest version with the value
     * before the commit, else of the initial state. If the newest versions do not have the value, the version is
     * unknown.
     *
     * Cost. Linear in operations, plus a search among a bounded number of versions for each read that is older than the
     * newest version.
     */

    static final int NONE = -1;

    private static final int MAX_SEARCHED = 1 << 10; // versions

    final Lane lane;
    private final int[] txns; // committed, in the commit order
    private final int[] firstOf; // by key, into versions
    private final int[] knownOf; // by key: how many of its versions committed so far
    private final int[] txnOf; // by version
    private final long[] commitOf;
    private final long[] valueOf;

    // of the current transaction
    long start;
    long commit;

    /** @param lane whose timestamps are within {@link Positions#fits} */
    LaneVersions(Lane lane) {
        this.lane = lane;
        this.txns = lane.committedInOrder();
        firstOf = new int[lane.keyCount() + 1];
        for (int txn : txns) {
            for (int op = firstOp(txn); op < firstOp(txn + 1); op++) {
                firstOf[lane.key().get(op) + 1] +=
                        LaneOp.isEffective(lane.kind().get(op)) ? 1 : 0;
            }
        }
        CountingSort.addUp(firstOf);
        knownOf = new int[lane.keyCount()];
        txnOf = new int[firstOf[firstOf.length - 1]];
        commitOf = new long[txnOf.length];
        valueOf = new long[txnOf.length];
    }

    /** Shows each read and each write of a transaction, in this order, while the transactions commit. */
    final void run() {
        for (int txn : txns) {
            start = lane.startTs().get(txn);
            commit = lane.commitTs().get(txn);
            for (int op = firstOp(txn); op < firstOp(txn + 1); op++) {
                if (LaneOp.isExternalRead(lane.kind().get(op))) {
                    read(txn, op);
                }
            }
            for (int op = firstOp(txn); op < firstOp(txn + 1); op++) {
                if (LaneOp.isEffective(lane.kind().get(op))) {
                    write(txn, lane.key().get(op));
                }
            }
            for (int op = firstOp(txn); op < firstOp(txn + 1); op++) {
                if (LaneOp.isEffective(lane.kind().get(op))) {
                    int key = lane.key().get(op);
                    int version = firstOf[key] + knownOf[key]++;
                    txnOf[version] = txn;
                    commitOf[version] = commit;
                    valueOf[version] = lane.value().get(op);
                }
            }
            end(txn);
        }
    }

    private void read(int txn, int op) {
        int key = lane.key().get(op);
        boolean readsNothing = readsInitial(op);
        long value = readsNothing ? 0 : lane.valueRead(op);
        int newest = newest(key);
        int ofSnapshot = isAfterStart(newest, key) ? lastUpTo(key, newest, start) : newest;
        boolean isCurrent = isVersion(newest, key) ? !readsNothing && valueOf[newest] == value : readsNothing;
        boolean isOfSnapshot =
                isVersion(ofSnapshot, key) ? !readsNothing && valueOf[ofSnapshot] == value : readsNothing;
        int version = isOfSnapshot ? ofSnapshot : readsNothing ? firstOf[key] - 1 : newestWith(value, key, newest);
        read(txn, op, version, isCurrent, isOfSnapshot);
    }

    /** Returns the newest version with a value; the initial state if none; after the newest version if unknown. */
    private int newestWith(long value, int key, int newest) {
        int end = Math.max(firstOf[key], newest - MAX_SEARCHED + 1);
        for (int version = newest; version >= end; version--) {
            if (valueOf[version] == value) {
                return version;
            }
        }
        return end == firstOf[key] ? end - 1 : newest + 1;
    }

    /** Returns whether a read returned the initial state. */
    boolean readsInitial(int op) {
        return lane.readsNothing(op);
    }

    /**
     * Processes a read.
     *
     * @param version the returned version; after the newest one if unknown
     * @param isCurrent whether the newest version has the value
     * @param isOfSnapshot whether the snapshot's version has the value
     */
    abstract void read(int txn, int op, int version, boolean isCurrent, boolean isOfSnapshot);

    /** Processes a write, before its version is known. */
    void write(int txn, int key) {}

    /** Processes the end of a transaction, after its versions are known. */
    void end(int txn) {}

    final int firstOp(int txn) {
        return lane.firstOp().get(txn);
    }

    /** Returns the newest known version of a key, or its initial state. */
    final int newest(int key) {
        return firstOf[key] + knownOf[key] - 1;
    }

    /** Returns whether a version or initial state is a version. */
    final boolean isVersion(int at, int key) {
        return at >= firstOf[key];
    }

    /** Returns whether it is a version that committed after the start of the current transaction. */
    final boolean isAfterStart(int at, int key) {
        return isVersion(at, key) && commitOf(at) > start;
    }

    final int txnOf(int version) {
        return txnOf[version];
    }

    final long commitOf(int version) {
        return commitOf[version];
    }

    /** Returns the last version of a key that committed up to a time; its initial state if none. */
    private int lastUpTo(int key, int newest, long time) {
        int low = firstOf[key] - 1;
        int high = newest;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (commitOf(middle) <= time) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}
