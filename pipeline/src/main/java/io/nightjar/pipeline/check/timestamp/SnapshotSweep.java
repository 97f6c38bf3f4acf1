package io.nightjar.pipeline.check.timestamp;

import static java.util.Objects.requireNonNull;

import io.nightjar.pipeline.partition.LaneOp;
import io.nightjar.pipeline.primitive.IntColumn;
import io.nightjar.pipeline.primitive.LongColumn;
import org.jspecify.annotations.Nullable;

/** Finds reads that missed their snapshot, and counts overlapping transactions that wrote the same key. */
final class SnapshotSweep {

    /*
     * Layout. By key:
     *
     *   KeyStates          state of a snapshot taken now                   changes at commits
     *   openWriters[key]   number of running transactions that write it    up at starts, down at commits
     *
     * Algorithm. The lane is replayed once, event by event, in the order of EventOrder.ofSnapshots: the offline
     * algorithm of Chronos with its two maps flattened into arrays indexed by key. A conflict is counted at the earlier
     * of the two commits: a writer that is still open then overlaps. Transactions that start and commit at one
     * timestamp are never open; they conflict with the open ones, and with those committed at the same timestamp,
     * recorded in committedAt.
     *
     * Cost. O(operations) after sorting the events; 16 bytes per key.
     *
     * Source. docs/papers.md#chronos, algorithm 2
     */

    private final Lane lane;
    private final EventOrder order;
    private final KeyStates states;
    private final int[] openWriters;
    private final long @Nullable [] lastCommitOf; // null if no writer starts and commits at one timestamp
    private final int @Nullable [] committedAt;
    private final boolean[] hasConflict;
    private long conflictPairs;

    SnapshotSweep(Lane lane, EventOrder order, KeyStates states) {
        this.lane = lane;
        this.order = order;
        this.states = states;
        this.openWriters = new int[lane.keyCount()];
        this.lastCommitOf = order.hasWriterAtOnce() ? new long[lane.keyCount()] : null;
        this.committedAt = order.hasWriterAtOnce() ? new int[lane.keyCount()] : null;
        this.hasConflict = new boolean[lane.keyCount()];
    }

    void run() {
        int[] events = order.events();
        for (int i = 0; i < order.count(); i++) {
            int txn = EventOrder.txn(events[i]);
            switch (EventOrder.eventClass(events[i])) {
                case EventOrder.START -> {
                    states.checkReads(txn);
                    if (lane.writes(txn)) {
                        openWrites(txn);
                    }
                }
                case EventOrder.COMMIT -> commitWrites(txn);
                case EventOrder.AT_ONCE -> {
                    states.checkReads(txn);
                    conflictAtOnce(txn);
                    states.commit(txn);
                }
                default -> states.commit(txn);
            }
        }
    }

    /** Pairs of transactions that overlap and wrote the same key, each counted once for each key. */
    long conflictPairs() {
        return conflictPairs;
    }

    boolean hasConflict(int key) {
        return hasConflict[key];
    }

    private void openWrites(int txn) {
        int[][] keys = lane.key().segments();
        byte[][] kinds = lane.kind().segments();
        IntColumn firstOp = lane.firstOp();
        int end = firstOp.get(txn + 1);
        for (int op = firstOp.get(txn); op < end; op++) {
            if (isFirstWrite(kinds[op >>> LongColumn.SEGMENT_BITS][op & LongColumn.SEGMENT_MASK])) {
                openWriters[keys[op >>> LongColumn.SEGMENT_BITS][op & LongColumn.SEGMENT_MASK]]++;
            }
        }
    }

    private void commitWrites(int txn) {
        int[][] keys = lane.key().segments();
        byte[][] kinds = lane.kind().segments();
        IntColumn firstOp = lane.firstOp();
        int end = firstOp.get(txn + 1);
        for (int op = firstOp.get(txn); op < end; op++) {
            byte kind = kinds[op >>> LongColumn.SEGMENT_BITS][op & LongColumn.SEGMENT_MASK];
            if (LaneOp.isEffective(kind)) {
                int key = keys[op >>> LongColumn.SEGMENT_BITS][op & LongColumn.SEGMENT_MASK];
                if (kind != LaneOp.APPEND_AGAIN) {
                    closeWrite(txn, key);
                }
                states.apply(txn, op, kind, key);
            }
        }
    }

    private void closeWrite(int txn, int key) {
        int stillOpen = --openWriters[key];
        if (stillOpen > 0) {
            conflictPairs += stillOpen;
            hasConflict[key] = true;
        }
        if (committedAt != null) {
            recordCommit(txn, key);
        }
    }

    private void conflictAtOnce(int txn) {
        for (int op = lane.firstOp().get(txn); op < lane.firstOp().get(txn + 1); op++) {
            if (isFirstWrite(lane.kind().get(op))) {
                int key = lane.key().get(op);
                boolean sameTs =
                        requireNonNull(lastCommitOf)[key] == lane.commitTs().get(txn);
                int others = openWriters[key] + (sameTs ? requireNonNull(committedAt)[key] : 0);
                conflictPairs += others;
                hasConflict[key] |= others > 0;
                recordCommit(txn, key);
            }
        }
    }

    private void recordCommit(int txn, int key) {
        long commit = lane.commitTs().get(txn);
        requireNonNull(committedAt)[key] =
                requireNonNull(lastCommitOf)[key] == commit ? requireNonNull(committedAt)[key] + 1 : 1;
        lastCommitOf[key] = commit;
    }

    /**
     * Returns whether a kind is that of a first write: a transaction is one writer of a key, however often it appends
     * to it.
     */
    static boolean isFirstWrite(byte kind) {
        return kind == LaneOp.WRITE || kind == LaneOp.APPEND;
    }
}
