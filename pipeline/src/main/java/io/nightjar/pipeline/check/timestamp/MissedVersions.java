package io.nightjar.pipeline.check.timestamp;

import io.nightjar.pipeline.partition.LaneOp;
import io.nightjar.pipeline.primitive.CountingSort;
import io.nightjar.pipeline.primitive.IntColumn;
import io.nightjar.pipeline.primitive.PairOrdinals;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Candidate serial order that moves a transaction in front of the first version that it missed; computed lane by lane,
 * of several lanes at once.
 *
 * <p>The lanes shown have indexes of the commit order as timestamps: the transaction at index i starts at 2 s, where s is the
 * number of commits that its snapshot sees, and commits at 2 i + 1. No unknown transaction counts.
 */
public final class MissedVersions {

    /*
     * Definitions. A transaction misses a version that committed before it if it read an older version of the key. Its
     * position is its commit; just before the first version missed, if any; the start of a read-only transaction if all
     * its reads are from its snapshot. A read is current if it returns the newest version before the commit.
     *
     * Layout. By index of the commit order: the first version missed, and two bits, NOT_CURRENT and NOT_OF_SNAPSHOT. In
     * a lane the versions of a key are contiguous, in commit order; the newest version so far of each (key, value) is
     * stored.
     *
     * Algorithm. If all reads of a transaction are current, it missed nothing. Otherwise a read is of the snapshot's
     * version if that has the value, else of the newest version with the value before the commit, else of the initial
     * state. Any choice is sound, because the caller replays the order.
     *
     * Invariant. If the snapshots stem from a store that aborts dangerous structures (serializable snapshot isolation),
     * no dependency goes back in the order of positions.
     *
     * Cost. Linear in operations, plus a binary search for each read that is older than the newest version; 8 bytes per
     * transaction.
     *
     * Source. Cahill, Roehm and Fekete, Serializable isolation for snapshot databases (SIGMOD 2008): no transaction
     * that commits before its neighbors is at the end of two consecutive rw edges.
     */

    private static final int NONE = -1;
    private static final int NOT_CURRENT = 1;
    private static final int NOT_OF_SNAPSHOT = 2;

    private final AtomicIntegerArray firstMissed; // by index
    private final AtomicIntegerArray bits; // by index

    public MissedVersions(int txnCount) {
        firstMissed = new AtomicIntegerArray(txnCount);
        bits = new AtomicIntegerArray(txnCount);
        for (int index = 0; index < txnCount; index++) {
            firstMissed.setPlain(index, index);
        }
    }

    /**
     * Returns numbers that ascend with positions. Transactions of one position have the same number, except that those
     * at their start come first; the commit order decides among them.
     *
     * @param seen number of commits in the transaction's snapshot
     */
    public long position(int index, int seen, boolean isReadOnly) {
        int ofTxn = bits.get(index);
        if (isReadOnly && (ofTxn & NOT_OF_SNAPSHOT) == 0) {
            return 4L * seen;
        }
        int missed = firstMissed.get(index);
        return (ofTxn & NOT_CURRENT) != 0 && missed < index ? 4L * missed + 1 : 4L * index + 2;
    }

    /** Adds the operations of a lane. */
    public void observe(Lane lane) {
        new LaneVersions(lane).run();
    }

    /**
     * Returns whether each key of a lane is written in the commit order.
     *
     * @param lane with positions in a candidate order as timestamps: the transaction at position p commits at 2 p + 1
     * @param indexAt index of the commit order, by position
     */
    public static boolean keepsVersionOrder(Lane lane, int[] indexAt) {
        int[] newestOf = new int[lane.keyCount()]; // by key: index of the last writer
        Arrays.fill(newestOf, NONE);
        for (int txn : lane.committedInOrder()) {
            int index = indexAt[(int) (lane.commitTs().get(txn) >> 1)];
            for (int op = lane.firstOp().get(txn); op < lane.firstOp().get(txn + 1); op++) {
                if (LaneOp.isEffective(lane.kind().get(op))) {
                    int key = lane.key().get(op);
                    if (index < newestOf[key]) {
                        return false;
                    }
                    newestOf[key] = index;
                }
            }
        }
        return true;
    }

    /** Versions of the keys of a lane. */
    private final class LaneVersions {

        private final Lane lane;
        private final int[] txns; // committed, in the commit order
        private final PairOrdinals pairs; // of keys and values
        private final IntColumn keyOfVersion = new IntColumn(); // in the commit order
        private final IntColumn indexOfVersion = new IntColumn();
        private final IntColumn pairOfVersion = new IntColumn();
        private final int[] firstOf; // by key, into versionAt
        private final int[] versionAt; // versions by key, in the commit order
        private final int[] knownOf; // by key: how many of its versions committed so far
        private final int[] newestOf; // by pair: the newest version so far, as a position in versionAt

        LaneVersions(Lane lane) {
            this.lane = lane;
            this.txns = lane.committedInOrder();
            int writes = 0;
            for (int txn : txns) {
                for (int op = lane.firstOp().get(txn); op < lane.firstOp().get(txn + 1); op++) {
                    writes += LaneOp.isEffective(lane.kind().get(op)) ? 1 : 0;
                }
            }
            pairs = new PairOrdinals(writes);
            for (int txn : txns) {
                for (int op = lane.firstOp().get(txn); op < lane.firstOp().get(txn + 1); op++) {
                    if (LaneOp.isEffective(lane.kind().get(op))) {
                        keyOfVersion.add(lane.key().get(op));
                        indexOfVersion.add(index(txn));
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

        private int index(int txn) {
            return (int) (lane.commitTs().get(txn) >> 1);
        }

        void run() {
            for (int txn : txns) {
                int first = lane.firstOp().get(txn);
                int end = lane.firstOp().get(txn + 1);
                for (int op = first; op < end; op++) {
                    if (LaneOp.isExternalRead(lane.kind().get(op))) {
                        read(txn, op);
                    }
                }
                for (int op = first; op < end; op++) {
                    if (LaneOp.isEffective(lane.kind().get(op))) {
                        int key = lane.key().get(op);
                        int at = firstOf[key] + knownOf[key]++;
                        newestOf[pairOfVersion.get(versionAt[at])] = at;
                    }
                }
            }
        }

        private void read(int txn, int op) {
            int key = lane.key().get(op);
            int index = index(txn);
            int seen = (int) (lane.startTs().get(txn) >> 1);
            int pair = lane.pairRead(op, pairs);
            int newest = firstOf[key] + knownOf[key] - 1; // before the first: the initial state
            int ofSnapshot = newest >= firstOf[key] && indexAt(newest) >= seen ? lastBefore(key, newest, seen) : newest;
            if (!isOf(pair, key, newest)) {
                set(index, NOT_CURRENT);
            }
            if (!isOf(pair, key, ofSnapshot)) {
                set(index, NOT_OF_SNAPSHOT);
            }
            int version = isOf(pair, key, ofSnapshot)
                    ? ofSnapshot
                    : pair == PairOrdinals.NONE ? firstOf[key] - 1 : newestOf[pair];
            boolean isOfFuture = pair != PairOrdinals.NONE && version == NONE;
            if (!isOfFuture && version < newest) {
                firstMissed.accumulateAndGet(index, indexAt(version + 1), Math::min);
            }
        }

        private int indexAt(int at) {
            return indexOfVersion.get(versionAt[at]);
        }

        /** Returns whether a version has the value of a pair; no version is the initial state. */
        private boolean isOf(int pair, int key, int at) {
            return at < firstOf[key] ? pair == PairOrdinals.NONE : pairOfVersion.get(versionAt[at]) == pair;
        }

        /** Returns the last version of a key below an index; the number before its first version if none. */
        private int lastBefore(int key, int newest, int index) {
            int low = firstOf[key] - 1;
            int high = newest;
            while (low < high) {
                int middle = (low + high + 1) >>> 1;
                if (indexAt(middle) < index) {
                    low = middle;
                } else {
                    high = middle - 1;
                }
            }
            return low;
        }
    }

    private void set(int index, int bit) {
        if ((bits.get(index) & bit) == 0) {
            bits.accumulateAndGet(index, bit, (before, more) -> before | more);
        }
    }
}
