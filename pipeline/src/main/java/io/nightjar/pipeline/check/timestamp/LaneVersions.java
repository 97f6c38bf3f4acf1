package io.nightjar.pipeline.check.timestamp;

import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.partition.LaneOp;
import io.nightjar.pipeline.primitive.CountingSort;
import io.nightjar.pipeline.primitive.IntColumn;
import io.nightjar.pipeline.primitive.PairOrdinals;
import io.nightjar.pipeline.primitive.RadixSort;
import java.util.Arrays;

/** Versions of the keys of a lane, shown in the commit order with the versions that reads returned. */
abstract class LaneVersions {

    /*
     * Layout. The versions of a key are contiguous, in commit order; the number before its first version stands for the
     * initial state. The newest version so far of each (key, value) is stored. Of transactions that commit together,
     * read-only ones are last.
     *
     * Algorithm. A read is of the snapshot's version if that has the value, else of the newest version with the value
     * before the commit, else of the initial state.
     *
     * Cost. Linear in operations, plus a binary search for each read that is older than the newest version.
     */

    static final int NONE = -1;

    final Lane lane;
    private final int[] txns; // committed, in the commit order
    private final PairOrdinals pairs; // of keys and values
    private final IntColumn keyOfVersion = new IntColumn(); // in the commit order
    private final IntColumn txnOfVersion = new IntColumn();
    private final IntColumn pairOfVersion = new IntColumn();
    private final int[] firstOf; // by key, into versionAt
    private final int[] versionAt; // versions by key, in the commit order
    private final int[] knownOf; // by key: how many of its versions committed so far
    private final int[] newestOf; // by pair: the newest version so far, as a position in versionAt

    /** @param lane whose timestamps are within {@link Positions#fits} */
    LaneVersions(Lane lane) {
        this.lane = lane;
        this.txns = inCommitOrder(lane);
        int writes = 0;
        for (int txn : txns) {
            for (int op = firstOp(txn); op < firstOp(txn + 1); op++) {
                writes += LaneOp.isEffective(lane.kind().get(op)) ? 1 : 0;
            }
        }
        pairs = new PairOrdinals(writes);
        for (int txn : txns) {
            for (int op = firstOp(txn); op < firstOp(txn + 1); op++) {
                if (LaneOp.isEffective(lane.kind().get(op))) {
                    keyOfVersion.add(lane.key().get(op));
                    txnOfVersion.add(txn);
                    pairOfVersion.add(
                            pairs.ordinal(lane.key().get(op), lane.value().get(op)));
                }
            }
        }
        firstOf = CountingSort.firstOf(keyOfVersion, lane.keyCount());
        versionAt = CountingSort.entries(keyOfVersion, firstOf);
        knownOf = new int[lane.keyCount()];
        newestOf = new int[Math.max(1, pairs.size())];
        Arrays.fill(newestOf, NONE);
    }

    /** Returns the committed transactions of a lane in the commit order. */
    static int[] inCommitOrder(Lane lane) {
        long[] commits = new long[lane.txnCount()];
        int[] txns = new int[lane.txnCount()];
        int count = 0;
        for (int txn = 0; txn < lane.txnCount(); txn++) {
            if (lane.status(txn) == TxnStatus.COMMITTED) {
                commits[count] = 2 * lane.commitTs().get(txn) + (lane.isReadOnly(txn) ? 1 : 0);
                txns[count++] = txn;
            }
        }
        RadixSort.sort(commits, txns, count);
        return Arrays.copyOf(txns, count);
    }

    /** Shows each read and each write of a transaction, in this order, while the transactions commit. */
    final void run() {
        for (int txn : txns) {
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
                    int at = firstOf[key] + knownOf[key]++;
                    newestOf[pairOfVersion.get(versionAt[at])] = at;
                }
            }
            end(txn);
        }
    }

    private void read(int txn, int op) {
        int key = lane.key().get(op);
        int pair = lane.pairRead(op, pairs);
        int newest = newest(key);
        int ofSnapshot = isAfterStart(newest, key, txn)
                ? lastUpTo(key, newest, lane.startTs().get(txn))
                : newest;
        int version = isOf(pair, key, ofSnapshot)
                ? ofSnapshot
                : pair == PairOrdinals.NONE ? firstOf[key] - 1 : newestOf[pair];
        boolean isOfFuture = pair != PairOrdinals.NONE && version == NONE;
        read(txn, op, isOfFuture ? newest + 1 : version, isOf(pair, key, newest), isOf(pair, key, ofSnapshot));
    }

    /**
     * Processes a read.
     *
     * @param version the returned version; after the newest one if it is not known yet
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

    /** Returns whether it is a version that committed after the start of a transaction. */
    final boolean isAfterStart(int at, int key, int txn) {
        return isVersion(at, key) && commitOf(at) > lane.startTs().get(txn);
    }

    final int txnOf(int version) {
        return txnOfVersion.get(versionAt[version]);
    }

    final long commitOf(int version) {
        return lane.commitTs().get(txnOf(version));
    }

    /** Returns whether a version has the value of a pair; the initial state has none. */
    private boolean isOf(int pair, int key, int at) {
        return isVersion(at, key) ? pairOfVersion.get(versionAt[at]) == pair : pair == PairOrdinals.NONE;
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
