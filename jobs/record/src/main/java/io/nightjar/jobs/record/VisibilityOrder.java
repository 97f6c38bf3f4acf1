package io.nightjar.jobs.record;

import io.nightjar.formats.history.HistorySlice;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongRBTreeSet;
import it.unimi.dsi.fastutil.longs.LongSortedSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Computes the order in which the transactions of a database became visible, from the snapshots of sessions. */
final class VisibilityOrder {

    /*
     * Definitions. A snapshot xmin:xmax:xip shows every transaction below xmax that is not in xip. Snapshots of one
     * server are nested. The position of a snapshot, xmax less the length of xip, counts the transactions ended in it,
     * and is a start timestamp. A gap is the interval between the last snapshot that does not show a commit and the
     * first that does.
     *
     * Algorithm. At repeatable read and above, several commits in one gap never wrote the same row, because the
     * snapshot of the later writer would lie between them; below, the later writer waited for the row until the earlier
     * one had committed, and sent its commit after that. So inside a gap the commits are ordered by sending time, and
     * every gap has a position for each, because each has ended in it.
     *
     * A transaction's number is never in the xip of its snapshot, although the transaction has not ended: a transaction
     * that has a number when it receives a snapshot reports it. Savepoints consume numbers too, which are never in xip
     * either; they count as ended in all snapshots alike.
     *
     * A crashed server reuses the numbers of transactions that never committed. So snapshots from after a restart are
     * counted from a separate base above all earlier positions.
     *
     * Where a database exposes no snapshots, each writer inserts its number into a register, and each transaction reads
     * it first, from the oldest number on that may not have ended. Then the position of a snapshot is the number of
     * commits that it shows: the known commits before that number, and the commits read from the register.
     *
     * Cost. Gaps are sealed from the first on, while the recording runs, so memory contains only open transactions and
     * gaps. A gap is sealed when nothing can enter it any more:
     *
     *   no smaller snapshot  a transaction that begins after a snapshot is known will observe that snapshot or a larger
     *                        one; so all snapshots are known up to the largest that was known at the beginning of
     *                        the oldest transaction without a reported snapshot
     *   no other commit      a transaction shown by a snapshot had begun before it; so when all transactions have ended
     *                        that had begun when the snapshot was reported, all commits that it shows are known
     */

    private static final long NO_TXN = -1;
    private static final long BETWEEN_RESTARTS = 1L << 40;

    /** Consumer of transactions whose position in the order is known. */
    @FunctionalInterface
    interface Target {
        /**
         * @param firstOfGap the smallest timestamp of the commits that became visible between the same two snapshots
         */
        void commit(long txnId, long commitTs, long firstOfGap) throws IOException;
    }

    /**
     * A snapshot.
     *
     * @param isCounted whether its position is the number of commits that it shows, not of ended transactions
     * @param begun number of transactions started when it was reported
     */
    private record Snapshot(long position, long end, long[] open, boolean isCounted, long begun) {

        boolean shows(long xid) {
            for (long each : open) {
                if (each == xid) {
                    return false;
                }
            }
            return xid < end;
        }

        boolean isWithin(Snapshot larger) {
            for (long each : larger.open) {
                if (shows(each)) {
                    return false;
                }
            }
            return end <= larger.end;
        }
    }

    /**
     * State at the beginning of a transaction.
     *
     * @param number number of transactions started before
     * @param oldest number of the oldest open transaction
     * @param committed number of committed transactions before the oldest open one
     */
    record Beginning(long number, long oldest, long committed) {}

    private record Writer(long txnId, long xid, long sentNs) {}

    /**
     * An open transaction: the number of transactions started before it, and the largest snapshot known at its
     * beginning.
     */
    private static final class Open {
        final long number;
        final long floor;
        boolean hasReported;

        Open(long number, long floor) {
            this.number = number;
            this.floor = floor;
        }
    }

    private final Target target;
    private final LongArrayList serverStarts = new LongArrayList();
    private final Map<Long, Open> open = new LinkedHashMap<>(); // in order of beginning
    private final PriorityQueue<Snapshot> waiting =
            new PriorityQueue<>(Comparator.comparingLong(Snapshot::position).thenComparingLong(Snapshot::end));
    private final List<Writer> writers = new ArrayList<>();
    private @Nullable Snapshot last;
    private final LongSortedSet committed = new LongRBTreeSet(); // numbers in the register, from the oldest on
    private long committedBelowOldest;
    private long settled;
    private long begun;
    private long largest = Long.MIN_VALUE;
    private long latest = Long.MIN_VALUE;
    private boolean isNested = true;

    VisibilityOrder(Target target) {
        this.target = target;
    }

    /** Begins a transaction. */
    synchronized Beginning begin(long txnId) {
        open.put(txnId, new Open(begun, largest));
        long oldest = oldest();
        while (!committed.isEmpty() && committed.firstLong() < oldest) {
            committed.remove(committed.firstLong());
            committedBelowOldest++;
        }
        return new Beginning(begun++, oldest, committedBelowOldest);
    }

    /** Returns the number of the oldest open transaction. */
    synchronized long oldest() {
        return open.isEmpty() ? begun : open.values().iterator().next().number;
    }

    /** Returns the number of transactions started. */
    synchronized long begun() {
        return begun;
    }

    /** Cancels the computation: the content of later snapshots is unknown. */
    synchronized void disable() {
        isNested = false;
    }

    /**
     * Adds a snapshot in the database's format and returns the start timestamp of its transaction.
     *
     * @param serverStart start time of the server that created it
     */
    synchronized long start(long txnId, String snapshot, long serverStart) {
        return start(txnId, snapshot, serverStart, HistorySlice.NONE);
    }

    /**
     * Adds the snapshot of a single statement, before the snapshot of its transaction is reported.
     *
     * @param xid the transaction's number at that time, {@code NONE} if it had none
     */
    synchronized long statement(String snapshot, long serverStart, long xid) {
        return start(NO_TXN, snapshot, serverStart, xid);
    }

    private long start(long txnId, String snapshot, long serverStart, long xid) {
        int first = snapshot.indexOf(':');
        int second = snapshot.indexOf(':', first + 1);
        long base = base(serverStart);
        long end = base + Long.parseLong(snapshot.substring(first + 1, second));
        LongArrayList inside = new LongArrayList();
        for (int at = second + 1; at < snapshot.length(); ) {
            int comma = snapshot.indexOf(',', at);
            int stop = comma < 0 ? snapshot.length() : comma;
            inside.add(base + Long.parseLong(snapshot.substring(at, stop)));
            at = stop + 1;
        }
        if (xid != HistorySlice.NONE && base + xid < end) {
            inside.add(base + xid);
        }
        return add(txnId, new Snapshot(end - inside.size(), end, inside.toLongArray(), false, begun));
    }

    /**
     * Adds a snapshot of the register of commits.
     *
     * @param shown numbers, in order, of the commits it shows from the oldest transaction on
     */
    synchronized long start(long txnId, Beginning beginning, long[] shown) {
        long end = shown.length == 0 ? beginning.oldest : shown[shown.length - 1] + 1;
        LongArrayList inside = new LongArrayList();
        int next = 0;
        for (long number = beginning.oldest; number < end; number++) {
            if (shown[next] == number) {
                next++;
            } else {
                inside.add(number);
            }
        }
        long position = beginning.committed + shown.length;
        return add(txnId, new Snapshot(position, end, inside.toLongArray(), true, begun));
    }

    private long add(long txnId, Snapshot snapshot) {
        waiting.add(snapshot);
        largest = Math.max(largest, snapshot.position);
        Open opened = open.get(txnId);
        if (opened != null) {
            opened.hasReported = true;
        }
        return snapshot.position;
    }

    /**
     * Adds a transaction that may have committed, with its number in the database and the time at which its commit was
     * sent.
     */
    synchronized void mayHaveCommitted(long txnId, long xid, long whenNs, long serverStart) {
        writers.add(new Writer(txnId, base(serverStart) + xid, whenNs));
    }

    /** Adds a committed transaction with its number in the register. */
    synchronized void hasCommitted(long txnId, long number, long whenNs) {
        writers.add(new Writer(txnId, number, whenNs));
        committed.add(number);
    }

    private long base(long serverStart) {
        int restarts = serverStarts.size() - 1;
        while (restarts >= 0 && serverStarts.getLong(restarts) > serverStart) {
            restarts--;
        }
        if (restarts < 0 || serverStarts.getLong(restarts) < serverStart) {
            isNested &= restarts == serverStarts.size() - 1; // a server that started before others already known
            serverStarts.add(++restarts, serverStart);
        }
        return restarts * BETWEEN_RESTARTS;
    }

    /** Ends a transaction, whose snapshots and commit have been reported. */
    synchronized void end(long txnId) throws IOException {
        open.remove(txnId);
        long floor = Long.MAX_VALUE;
        long oldest = Long.MAX_VALUE;
        for (Open each : open.values()) {
            oldest = Math.min(oldest, each.number);
            if (!each.hasReported) {
                floor = each.floor;
                break;
            }
        }
        while (!waiting.isEmpty() && waiting.peek().position <= floor && waiting.peek().begun <= oldest) {
            settle(waiting.poll());
        }
    }

    /** Completes the order after the end of all transactions. */
    synchronized void finish() throws IOException {
        while (!waiting.isEmpty()) {
            settle(waiting.poll());
        }
        place(writers, last == null ? 0 : last.position);
        writers.clear();
    }

    private void settle(Snapshot next) throws IOException {
        List<Writer> shown = new ArrayList<>();
        writers.removeIf(each -> next.shows(each.xid) && shown.add(each));
        isNested &= next.isCounted
                ? next.position == settled + shown.size() // otherwise it misses a commit that a smaller snapshot shows
                : last == null || last.isWithin(next) && last.position <= next.position;
        settled += shown.size();
        place(shown, last == null ? next.position - shown.size() : last.position);
        isNested &= shown.isEmpty() || latest <= next.position;
        last = next;
    }

    /**
     * Assigns positions to transactions that became visible in one gap, in the order in which they sent their commits.
     */
    private void place(List<Writer> inGap, long before) throws IOException {
        if (inGap.isEmpty()) {
            return;
        }
        inGap.sort(Comparator.comparingLong(Writer::sentNs));
        long first = Math.max(latest, before) + 1;
        for (Writer each : inGap) {
            latest = Math.max(latest, before) + 1;
            target.commit(each.txnId, latest, first);
        }
    }

    /** Returns whether all snapshots have been nested so far, as on a single server. */
    synchronized boolean isNested() {
        return isNested;
    }

    /** Returns the number of entries in memory. */
    synchronized int held() {
        return open.size() + waiting.size() + writers.size();
    }
}
