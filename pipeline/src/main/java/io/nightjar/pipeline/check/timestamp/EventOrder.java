package io.nightjar.pipeline.check.timestamp;

import io.nightjar.formats.history.SetsFields;
import io.nightjar.pipeline.primitive.RadixSort;

/** The starts and commits of a lane's transactions in the order in which they are replayed. */
final class EventOrder {

    /*
     * Layout. An event is an int:
     *
     *   31                    2 1     0
     *   +----------------------+-------+
     *   |         txn          | class |
     *   +----------------------+-------+
     *
     * A transaction without an effective read or write in this lane has no event.
     *
     * Invariant. Events of one timestamp are ordered, for snapshots: commits of transactions that started before (by
     * id), then transactions that start and commit at the timestamp (by id, each reads and then commits), then starts.
     * For the serial order: writers by id, then read-only transactions by id.
     */

    static final int COMMIT = 0;
    static final int AT_ONCE = 1;
    static final int START = 2;

    /** A commit of a transaction that starts only after it: its writes count, nothing else of it does. */
    static final int LATE_COMMIT = 3;

    private static final int CLASS_MASK = 3;
    private static final int MAX_TXNS = 1 << 29;

    private static final long[] NONE = {};

    private final Lane lane;
    private long[] ts;
    private int[] events;
    private int count;
    private boolean hasWriterAtOnce;

    private EventOrder(Lane lane) {
        if (lane.txnCount() > MAX_TXNS) {
            throw new IllegalStateException("lane too large: txnCount=" + lane.txnCount());
        }
        this.lane = lane;
    }

    /** Returns the starts and commits of a lane, with snapshots at starts. */
    static EventOrder ofSnapshots(Lane lane) {
        EventOrder order = new EventOrder(lane);
        order.collect(true);
        order.sort();
        return order;
    }

    /** Returns the events of the serial replay: one for each transaction, at its commit. */
    static EventOrder ofCommits(Lane lane) {
        EventOrder order = new EventOrder(lane);
        order.collect(false);
        order.sort();
        return order;
    }

    int count() {
        return count;
    }

    int[] events() {
        return events;
    }

    static int txn(int event) {
        return event >>> 2;
    }

    static int eventClass(int event) {
        return event & CLASS_MASK;
    }

    /** Returns whether a writer starts and commits at one timestamp. */
    boolean hasWriterAtOnce() {
        return hasWriterAtOnce;
    }

    @SetsFields
    private void collect(boolean snapshots) {
        int capacity = countEvents(snapshots);
        ts = new long[capacity];
        events = new int[capacity];
        for (int txn = 0; txn < lane.txnCount(); txn++) {
            if (!hasOperations(txn)) {
                continue;
            }
            if (snapshots) {
                addSnapshotEvents(txn, lane.writes(txn));
            } else {
                add(lane.commitTs().get(txn), txn, lane.isReadOnly(txn) ? START : COMMIT);
            }
        }
    }

    /** Returns whether the transaction has effective reads or writes in this lane. */
    private boolean hasOperations(int txn) {
        return (lane.reads(txn) || lane.writes(txn)) && lane.countsAsCommitted(txn) && lane.isPlaced(txn);
    }

    private int countEvents(boolean snapshots) {
        long count = 0;
        for (int txn = 0; txn < lane.txnCount(); txn++) {
            if (hasOperations(txn)) {
                boolean twice = snapshots
                        && lane.writes(txn)
                        && lane.startTs().get(txn) < lane.commitTs().get(txn);
                count += twice ? 2 : 1;
            }
        }
        return Math.toIntExact(count);
    }

    private void addSnapshotEvents(int txn, boolean writes) {
        long start = lane.startTs().get(txn);
        long commit = lane.commitTs().get(txn);
        if (start == commit) {
            add(start, txn, AT_ONCE);
            hasWriterAtOnce |= writes;
        } else if (start > commit) {
            add(commit, txn, LATE_COMMIT);
        } else {
            add(start, txn, START);
            if (writes) {
                add(commit, txn, COMMIT);
            }
        }
    }

    private void add(long at, int txn, int eventClass) {
        ts[count] = at;
        events[count] = txn << 2 | eventClass;
        count++;
    }

    private void sort() {
        RadixSort.sort(ts, events, count);
        int first = 0;
        while (first < count) {
            int end = first + 1;
            while (end < count && ts[end] == ts[first]) {
                end++;
            }
            if (end - first > 1) {
                sortTies(first, end);
            }
            first = end;
        }
        ts = NONE; // not needed any more
    }

    /**
     * Sorts tied events by Shell sort: nearly always two or three events, and never quadratic where a whole history
     * shares one timestamp.
     */
    private void sortTies(int first, int end) {
        int length = end - first;
        int gap = 1;
        while (gap < length / 3) {
            gap = 3 * gap + 1;
        }
        for (; gap > 0; gap /= 3) {
            for (int i = first + gap; i < end; i++) {
                int event = events[i];
                int at = i;
                while (at >= first + gap && isBefore(event, events[at - gap])) {
                    events[at] = events[at - gap];
                    at -= gap;
                }
                events[at] = event;
            }
        }
    }

    private boolean isBefore(int event, int other) {
        int rank = rank(event);
        int otherRank = rank(other);
        if (rank != otherRank) {
            return rank < otherRank;
        }
        long id = lane.txnId().get(txn(event));
        long otherId = lane.txnId().get(txn(other));
        return id != otherId ? id < otherId : eventClass(event) < eventClass(other);
    }

    private static int rank(int event) {
        int of = eventClass(event);
        return of == LATE_COMMIT ? COMMIT : of;
    }
}
