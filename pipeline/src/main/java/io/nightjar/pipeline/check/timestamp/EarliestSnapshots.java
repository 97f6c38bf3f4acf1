package io.nightjar.pipeline.check.timestamp;

import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.partition.LaneOp;
import io.nightjar.pipeline.primitive.PairOrdinals;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/**
 * Earliest possible snapshots of transactions that commit in a given order, computed lane by lane, several lanes
 * concurrently.
 *
 * <p>The lanes have positions in that order as timestamps: a transaction at position p commits at 2 p + 1. No unknown one
 * counts.
 */
public final class EarliestSnapshots {

    /*
     * Definitions. A snapshot is represented by the number of commits it includes. It includes the writers of the
     * versions read, the session's previous commit and, if overlaps are forbidden, the previous writers of the keys
     * that its transaction writes.
     *
     * Layout. The index of a lane contains every (key, value) written with its position: NOWHERE for writes that no
     * transaction may observe. A value written twice to a key ends the computation, because values then do not identify
     * the writer.
     *
     * Invariant. A later snapshot includes more versions that were not read: if any snapshots fit the order, the
     * earliest do. A check by timestamps verifies whether they do.
     */

    private static final int NOWHERE = -1;

    private final AtomicIntegerArray seenBy; // by position: minimum number of commits in the snapshot
    private volatile boolean isRepeated;

    public EarliestSnapshots(int positionCount) {
        seenBy = new AtomicIntegerArray(positionCount);
    }

    public int seenBy(int position) {
        return seenBy.get(position);
    }

    /** Raises the number of commits that a snapshot sees at least. */
    public void raise(int position, int commits) {
        if (seenBy.get(position) < commits) {
            seenBy.accumulateAndGet(position, commits, Math::max);
        }
    }

    public void set(int position, int commits) {
        seenBy.set(position, commits);
    }

    /** Returns whether some value was written twice to a key. */
    public boolean isRepeated() {
        return isRepeated;
    }

    /** Returns whether no value was written twice to a key of a lane, by whomever. */
    public static boolean isEachValueWrittenOnce(Lane lane) {
        return WrittenValues.of(lane) != null;
    }

    /** @param forbidsOverlaps whether of two writers of a key one must see the other */
    public void observe(Lane lane, boolean forbidsOverlaps) {
        WrittenValues written = WrittenValues.of(lane);
        if (written == null) {
            isRepeated = true;
            return;
        }
        int[] latestOf = new int[lane.keyCount()];
        Arrays.fill(latestOf, NOWHERE);
        for (int txn : lane.committedInOrder()) {
            int position = positionOf(lane.commitTs().get(txn));
            for (int op = lane.firstOp().get(txn); op < lane.firstOp().get(txn + 1); op++) {
                byte kind = lane.kind().get(op);
                int key = lane.key().get(op);
                if (LaneOp.isExternalRead(kind)) {
                    raise(position, written.placeRead(op) + 1);
                } else if (LaneOp.isEffective(kind)) {
                    if (forbidsOverlaps && latestOf[key] != position) {
                        raise(position, latestOf[key] + 1);
                    }
                    latestOf[key] = position;
                }
            }
        }
    }

    private static int positionOf(long commitTs) {
        return (int) (commitTs >> 1);
    }

    /** Index of the writer of each value of a lane. */
    private static final class WrittenValues {

        private final Lane lane;
        private final PairOrdinals pairs; // of keys and values
        private final int[] indexAt; // by pair

        private WrittenValues(Lane lane, int writes) {
            this.lane = lane;
            this.pairs = new PairOrdinals(writes);
            this.indexAt = new int[writes];
        }

        /** Returns null if a value was written twice to a key. */
        static @Nullable WrittenValues of(Lane lane) {
            int writes = 0;
            for (int op = 0; op < lane.opCount(); op++) {
                writes += isWrite(lane.kind().get(op)) ? 1 : 0;
            }
            WrittenValues written = new WrittenValues(lane, writes);
            for (int txn = 0; txn < lane.txnCount(); txn++) {
                boolean isCommitted = lane.status(txn) == TxnStatus.COMMITTED;
                for (int op = lane.firstOp().get(txn); op < lane.firstOp().get(txn + 1); op++) {
                    byte kind = lane.kind().get(op);
                    if (!isWrite(kind)) {
                        continue;
                    }
                    int before = written.pairs.size();
                    int pair = written.pairs.ordinal(
                            lane.key().get(op), lane.value().get(op));
                    if (pair != before) {
                        return null;
                    }
                    boolean isSeen = isCommitted && LaneOp.isEffective(kind);
                    written.indexAt[pair] = isSeen ? positionOf(lane.commitTs().get(txn)) : NOWHERE;
                }
            }
            return written;
        }

        private static boolean isWrite(byte kind) {
            return LaneOp.isEffective(kind) || kind == LaneOp.INTERMEDIATE_WRITE;
        }

        /** Returns the position of the writer of the value that a read returned, for a list of its last element. */
        int placeRead(int op) {
            int pair = lane.pairRead(op, pairs);
            return pair == PairOrdinals.NONE ? NOWHERE : indexAt[pair];
        }
    }
}
