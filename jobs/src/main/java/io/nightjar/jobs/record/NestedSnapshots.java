package io.nightjar.jobs.record;

import io.nightjar.formats.history.HistorySlice;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongArrays;
import java.util.Arrays;

/** Puts the transactions of PostgreSQL in the order in which they became visible, from the snapshots that sessions were given. */
final class NestedSnapshots {

    /*
     * A snapshot xmin:xmax:xip shows every transaction below xmax that is not in xip. Snapshots of one server are nested in
     * each other, so how many transactions have ended in one (xmax less the length of xip) is its place: a start timestamp.
     * A transaction commits between the last snapshot that does not show it and the first that does. Several in one gap
     * never wrote the same row at repeatable read and above, because the snapshot of the later one would lie between; below,
     * the later one waited for the row until the earlier one had committed, and sent its commit after that. So inside a
     * gap the order is that in which commits were sent, and every gap has a place for each, because each has ended in it.
     *
     * A server that crashed uses numbers again that only transactions had which never committed. So what comes from behind a
     * restart is counted from a base of its own, above everything before.
     *
     * A snapshot takes 16 bytes and 4 for each transaction open in it, a writer 24.
     */

    private static final long BETWEEN_RESTARTS = 1L << 40;

    private final LongArrayList serverStarts = new LongArrayList();
    private final LongArrayList places = new LongArrayList();
    private final LongArrayList ends = new LongArrayList();
    private final LongArrayList firstOpen = new LongArrayList();
    private final IntArrayList belowEnd = new IntArrayList();
    private final LongArrayList writers = new LongArrayList();
    private final LongArrayList xids = new LongArrayList();
    private final LongArrayList sentNs = new LongArrayList();
    private int[] order;
    private boolean isNested = true;

    /**
     * Takes a snapshot as the database writes it and returns the start timestamp of who was given it.
     *
     * @param serverStart when the server started that gave it
     */
    synchronized long start(String snapshot, long serverStart) {
        int first = snapshot.indexOf(':');
        int second = snapshot.indexOf(':', first + 1);
        long base = base(serverStart);
        long end = base + Long.parseLong(snapshot.substring(first + 1, second));
        firstOpen.add(belowEnd.size());
        int open = 0;
        for (int at = second + 1; at < snapshot.length(); open++) {
            int comma = snapshot.indexOf(',', at);
            int stop = comma < 0 ? snapshot.length() : comma;
            belowEnd.add(Math.toIntExact(end - base - Long.parseLong(snapshot.substring(at, stop))));
            at = stop + 1;
        }
        ends.add(end);
        places.add(end - open);
        return end - open;
    }

    /** Notes a transaction that may have committed, with its number in the database and when its commit was sent. */
    synchronized void mayHaveCommitted(long txnId, long xid, long whenNs, long serverStart) {
        writers.add(txnId);
        xids.add(base(serverStart) + xid);
        sentNs.add(whenNs);
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

    /** Whether all snapshots are nested, which those of one server are; valid after {@link #commits}. */
    boolean isNested() {
        return isNested;
    }

    /** The commit timestamp of each transaction by its id, {@code NONE} for those that were not noted. */
    synchronized long[] commits(int count) {
        sortSnapshots();
        long[] commits = new long[count];
        Arrays.fill(commits, HistorySlice.NONE);
        int n = writers.size();
        long[] gapOf = new long[n];
        int[] byGap = new int[n];
        for (int writer = 0; writer < n; writer++) {
            gapOf[writer] = firstThatShows(xids.getLong(writer));
            byGap[writer] = writer;
        }
        IntArrays.quickSort(byGap, (one, other) -> {
            int gaps = Long.compare(gapOf[one], gapOf[other]);
            return gaps != 0 ? gaps : Long.compare(sentNs.getLong(one), sentNs.getLong(other));
        });
        long latest = 0;
        for (int i = 0; i < n; i++) {
            int writer = byGap[i];
            int gap = (int) gapOf[writer];
            long first = order.length == 0 ? 0 : places.getLong(order[0]) - n; // what ended before the first snapshot
            long before = gap == 0 ? first : places.getLong(order[gap - 1]);
            latest = Math.max(latest + 1, before + 1);
            isNested &= gap == order.length || latest <= places.getLong(order[gap]);
            commits[Math.toIntExact(writers.getLong(writer))] = latest;
        }
        return commits;
    }

    /** Orders snapshots by place, those with the same place once. */
    private void sortSnapshots() {
        int n = places.size();
        int[] all = new int[n];
        for (int i = 0; i < n; i++) {
            all[i] = i;
        }
        LongArrays.radixSortIndirect(all, places.elements(), true);
        int kept = 0;
        for (int i = 0; i < n; i++) {
            isNested &= kept == 0 || isWithin(all[kept - 1], all[i]);
            if (kept == 0 || places.getLong(all[i]) != places.getLong(all[kept - 1])) {
                all[kept++] = all[i];
            }
        }
        order = Arrays.copyOf(all, kept);
    }

    private boolean isWithin(int smaller, int larger) {
        if (ends.getLong(smaller) > ends.getLong(larger)) {
            return false;
        }
        for (long i = firstOpen.getLong(larger); i < endOfOpen(larger); i++) {
            if (shows(smaller, ends.getLong(larger) - belowEnd.getInt((int) i))) {
                return false;
            }
        }
        return true;
    }

    private long endOfOpen(int snapshot) {
        return snapshot + 1 < firstOpen.size() ? firstOpen.getLong(snapshot + 1) : belowEnd.size();
    }

    private boolean shows(int snapshot, long xid) {
        long below = ends.getLong(snapshot) - xid;
        if (below <= 0) {
            return false;
        }
        for (long i = firstOpen.getLong(snapshot); i < endOfOpen(snapshot); i++) {
            if (belowEnd.getInt((int) i) == below) {
                return false;
            }
        }
        return true;
    }

    /** Among the sorted snapshots; their number if none does. */
    private int firstThatShows(long xid) {
        int low = 0;
        int high = order.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (shows(order[middle], xid)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
