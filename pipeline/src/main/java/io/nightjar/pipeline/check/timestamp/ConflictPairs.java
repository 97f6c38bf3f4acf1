package io.nightjar.pipeline.check.timestamp;

import io.nightjar.pipeline.primitive.LongColumn;
import it.unimi.dsi.fastutil.ints.IntArrayList;

/** Names the pairs that {@link SnapshotSweep} only counted, on the keys where it counted any. */
final class ConflictPairs {

    /*
     * Algorithm. A second replay stores, for each conflicting key, the open writers and the writers that committed at
     * the current timestamp. Pairs are in the order of the earlier commits.
     *
     * Cost. Linear in the number of pairs, so the replay stops at a limit.
     */

    private final Lane lane;
    private final EventOrder order;
    private final SnapshotSweep sweep;
    private final IntArrayList[] openOf;
    private final IntArrayList[] committedAtOf;
    private final IntArrayList earlier = new IntArrayList();
    private final IntArrayList later = new IntArrayList();
    private final IntArrayList keys = new IntArrayList();
    private final int limit;

    ConflictPairs(Lane lane, EventOrder order, SnapshotSweep sweep, int limit) {
        this.lane = lane;
        this.order = order;
        this.sweep = sweep;
        this.limit = limit;
        this.openOf = new IntArrayList[lane.keyCount()];
        this.committedAtOf = new IntArrayList[lane.keyCount()];
    }

    void run() {
        int[][] keyOf = lane.key().segments();
        byte[][] kinds = lane.kind().segments();
        for (int i = 0; i < order.count() && keys.size() < limit; i++) {
            int event = order.events()[i];
            int txn = EventOrder.txn(event);
            int end = lane.firstOp().get(txn + 1);
            for (int op = lane.firstOp().get(txn); op < end; op++) {
                if (SnapshotSweep.isFirstWrite(kinds[op >>> LongColumn.SEGMENT_BITS][op & LongColumn.SEGMENT_MASK])) {
                    int key = keyOf[op >>> LongColumn.SEGMENT_BITS][op & LongColumn.SEGMENT_MASK];
                    if (sweep.hasConflict(key)) {
                        replay(EventOrder.eventClass(event), txn, key);
                    }
                }
            }
        }
    }

    int count() {
        return keys.size();
    }

    /** Returns the transaction of a pair that committed first. */
    int earlier(int pair) {
        return earlier.getInt(pair);
    }

    int later(int pair) {
        return later.getInt(pair);
    }

    int key(int pair) {
        return keys.getInt(pair);
    }

    private void replay(int eventClass, int txn, int key) {
        if (openOf[key] == null) {
            openOf[key] = new IntArrayList();
            committedAtOf[key] = new IntArrayList();
        }
        if (eventClass == EventOrder.START) {
            openOf[key].add(txn);
            return;
        }
        if (eventClass == EventOrder.LATE_COMMIT) {
            return;
        }
        IntArrayList committed = committedAtOf[key];
        if (!committed.isEmpty()
                && lane.commitTs().get(committed.getInt(0)) != lane.commitTs().get(txn)) {
            committed.clear();
        }
        if (eventClass == EventOrder.COMMIT) {
            openOf[key].rem(txn);
        } else {
            for (int i = 0; i < committed.size(); i++) {
                add(committed.getInt(i), txn, key);
            }
        }
        for (int i = 0; i < openOf[key].size(); i++) {
            add(txn, openOf[key].getInt(i), key);
        }
        committed.add(txn);
    }

    private void add(int first, int second, int key) {
        if (keys.size() < limit) {
            earlier.add(first);
            later.add(second);
            keys.add(key);
        }
    }
}
