package io.nightjar.pipeline.check.timestamp;

import io.nightjar.pipeline.partition.LaneOp;
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
     * Layout. By index of the commit order: the first version missed, and two bits, NOT_CURRENT and NOT_OF_SNAPSHOT.
     *
     * Algorithm. If all reads of a transaction are current, it missed nothing. Otherwise each read is of the version
     * that LaneVersions names. Any choice is sound, because the caller replays the order.
     *
     * Invariant. If the snapshots stem from a store that aborts dangerous structures (serializable snapshot isolation),
     * no dependency goes back in the order of positions.
     *
     * Cost. That of LaneVersions; 8 bytes per transaction.
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
        new LaneVersions(lane) {

            @Override
            void read(int txn, int op, int version, boolean isCurrent, boolean isOfSnapshot) {
                int index = index(txn);
                if (!isCurrent) {
                    set(index, NOT_CURRENT);
                }
                if (!isOfSnapshot) {
                    set(index, NOT_OF_SNAPSHOT);
                }
                if (version < newest(lane.key().get(op))) {
                    firstMissed.accumulateAndGet(index, index(txnOf(version + 1)), Math::min);
                }
            }

            private int index(int txn) {
                return (int) (lane.commitTs().get(txn) >> 1);
            }
        }.run();
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

    private void set(int index, int bit) {
        if ((bits.get(index) & bit) == 0) {
            bits.accumulateAndGet(index, bit, (before, more) -> before | more);
        }
    }
}
