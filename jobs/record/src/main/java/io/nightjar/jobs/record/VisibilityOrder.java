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

/** Puts the transactions of a database in the order in which they became visible, from the snapshots that sessions were given. */
final class VisibilityOrder {

    /*
     * A snapshot xmin:xmax:xip shows every transaction below xmax that is not in xip. Snapshots of one server are nested in
     * each other, so how many transactions have ended in one (xmax less the length of xip) is its place: a start timestamp.
     * A transaction commits between the last snapshot that does not show it and the first that does. Several in one gap
     * never wrote the same row at repeatable read and above, because the snapshot of the later one would lie between; below,
     * the later one waited for the row until the earlier one had committed, and sent its commit after that. So inside a
     * gap the order is that in which commits were sent, and every gap has a place for each, because each has ended in it.
     *
     * A transaction's own number is never in xip, although it has not ended: a transaction that has one when it is
     * given a snapshot says so. Savepoints take numbers too, which are never in xip either; they count as ended in all
     * snapshots alike.
     *
     * A server that crashed uses numbers again that only transactions had which never committed. So what comes from behind a
     * restart is counted from a base of its own, above everything before.
     *
     * Where a database has no snapshots to tell, each writer puts its number into a register, and each transaction reads it
     * first, from the oldest number on that may not have ended. Then the place of a snapshot is how many commits it shows:
     * those before that number, which are known, and those that it read.
     *
     * Gaps are settled from the first on, while the recording runs, so memory holds what is open and no more. A gap is
     * settled when nothing can come into it any more:
     *
     *   no smaller snapshot  a transaction that begins after a snapshot is known will see at least what that one shows; so
     *                        snapshots up to the largest that was known when the oldest one began that has not told its
     *                        own are all there
     *   no other commit      what a snapshot shows had begun before; so when all have ended that had begun by the time it
     *                        was told, all commits that it shows are known
     */

    private static final long NOBODY = -1;
    private static final long BETWEEN_RESTARTS = 1L << 40;

    /** Called with each transaction whose place in the order is known. */
    @FunctionalInterface
    interface Target {
        /** @param firstOfGap the least timestamp of those that became visible between the same two snapshots */
        void commit(long txnId, long commitTs, long firstOfGap) throws IOException;
    }

    /**
     * One snapshot.
     *
     * @param isCounted whether its place is how many commits it shows, and not how many transactions have ended
     * @param begun how many transactions had begun when it was told
     */
    private record Snapshot(long place, long end, long[] open, boolean isCounted, long begun) {

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
     * What is known when a transaction begins.
     *
     * @param number how many had begun before
     * @param oldest the number of the oldest one that has not ended
     * @param committed how many have committed of those before the oldest
     */
    record Beginning(long number, long oldest, long committed) {}

    private record Writer(long txnId, long xid, long sentNs) {}

    /** A transaction that has not ended: how many had begun before, and the largest snapshot known then. */
    private static final class Open {
        final long number;
        final long floor;
        boolean hasTold;

        Open(long number, long floor) {
            this.number = number;
            this.floor = floor;
        }
    }

    private final Target target;
    private final LongArrayList serverStarts = new LongArrayList();
    private final Map<Long, Open> open = new LinkedHashMap<>(); // in the order in which they began
    private final PriorityQueue<Snapshot> waiting =
            new PriorityQueue<>(Comparator.comparingLong(Snapshot::place).thenComparingLong(Snapshot::end));
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

    /** A transaction will begin. */
    synchronized Beginning begin(long txnId) {
        open.put(txnId, new Open(begun, largest));
        long oldest = oldest();
        while (!committed.isEmpty() && committed.firstLong() < oldest) {
            committed.remove(committed.firstLong());
            committedBelowOldest++;
        }
        return new Beginning(begun++, oldest, committedBelowOldest);
    }

    /** The number of the oldest transaction that has not ended. */
    synchronized long oldest() {
        return open.isEmpty() ? begun : open.values().iterator().next().number;
    }

    /** How many have begun. */
    synchronized long begun() {
        return begun;
    }

    /** Gives up: from here on it is not known what a snapshot shows. */
    synchronized void giveUp() {
        isNested = false;
    }

    /**
     * Takes a snapshot as the database writes it and returns the start timestamp of who was given it.
     *
     * @param serverStart when the server started that gave it
     */
    synchronized long start(long txnId, String snapshot, long serverStart) {
        return start(txnId, snapshot, serverStart, HistorySlice.NONE);
    }

    /**
     * The same of a statement that has a snapshot of its own, before that of its transaction is told.
     *
     * @param own the number that the transaction had then, {@code NONE} if it had none yet
     */
    synchronized long statement(String snapshot, long serverStart, long own) {
        return start(NOBODY, snapshot, serverStart, own);
    }

    private long start(long txnId, String snapshot, long serverStart, long own) {
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
        if (own != HistorySlice.NONE && base + own < end) {
            inside.add(base + own);
        }
        return add(txnId, new Snapshot(end - inside.size(), end, inside.toLongArray(), false, begun));
    }

    /**
     * Takes a snapshot that was made of the register of commits: of the transactions from the oldest on, those that it shows.
     *
     * @param shown by their numbers, in order
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
        long place = beginning.committed + shown.length;
        return add(txnId, new Snapshot(place, end, inside.toLongArray(), true, begun));
    }

    private long add(long txnId, Snapshot snapshot) {
        waiting.add(snapshot);
        largest = Math.max(largest, snapshot.place);
        Open own = open.get(txnId);
        if (own != null) {
            own.hasTold = true;
        }
        return snapshot.place;
    }

    /** Notes a transaction that may have committed, with its number in the database and when its commit was sent. */
    synchronized void mayHaveCommitted(long txnId, long xid, long whenNs, long serverStart) {
        writers.add(new Writer(txnId, base(serverStart) + xid, whenNs));
    }

    /** Notes a transaction that has committed, which is in the register by this number. */
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
            isNested &= restarts == serverStarts.size() - 1; // one that started before others that are known already
            serverStarts.add(++restarts, serverStart);
        }
        return restarts * BETWEEN_RESTARTS;
    }

    /** A transaction has ended, and told what it knows. */
    synchronized void end(long txnId) throws IOException {
        open.remove(txnId);
        long floor = Long.MAX_VALUE;
        long oldest = Long.MAX_VALUE;
        for (Open each : open.values()) {
            oldest = Math.min(oldest, each.number);
            if (!each.hasTold) {
                floor = each.floor;
                break;
            }
        }
        while (!waiting.isEmpty() && waiting.peek().place <= floor && waiting.peek().begun <= oldest) {
            settle(waiting.poll());
        }
    }

    /** All have ended. */
    synchronized void finish() throws IOException {
        while (!waiting.isEmpty()) {
            settle(waiting.poll());
        }
        place(writers, last == null ? 0 : last.place);
        writers.clear();
    }

    private void settle(Snapshot next) throws IOException {
        List<Writer> shown = new ArrayList<>();
        writers.removeIf(each -> next.shows(each.xid) && shown.add(each));
        isNested &= next.isCounted
                ? next.place == settled + shown.size() // else it misses one that a smaller snapshot shows
                : last == null || last.isWithin(next) && last.place <= next.place;
        settled += shown.size();
        place(shown, last == null ? next.place - shown.size() : last.place);
        isNested &= shown.isEmpty() || latest <= next.place;
        last = next;
    }

    /** Places transactions that became visible in one gap, in the order in which they sent their commits. */
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

    /** Whether all snapshots are nested so far, which those of one server are. */
    synchronized boolean isNested() {
        return isNested;
    }

    /** How much is held in memory. */
    synchronized int held() {
        return open.size() + waiting.size() + writers.size();
    }
}
