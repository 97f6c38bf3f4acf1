package io.nightjar.pipeline.predicate;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.primitive.IntColumn;
import io.nightjar.pipeline.primitive.RadixSort;

/** The versions that others wrote while a transaction ran that reads by a predicate, for each such transaction. */
final class OverlappingWrites {

    /*
     * Definitions. A transaction reads from time low to time high: its start and commit, and the snapshots that its
     * predicate reads name. The overlapping writes are the versions of writers that commit at or after low and start at
     * or before high.
     *
     * Algorithm. Writers that commit from low to high are contiguous in the order of commits. Writers that commit later
     * are open at high, and are listed while transactions are processed in the order of high.
     *
     * Cost. The number of overlaps.
     */

    private final TableHistory history;
    private final TableVersions versions;
    private final int[] writers; // in the order of their commits
    private final long[] commits;
    private final int[] byStart; // positions in that order, in the order of starts
    private final long[] starts;
    private final int count;
    private int started;
    private int[] open = new int[64];
    private int openCount;
    private final IntColumn slots = new IntColumn();

    OverlappingWrites(TableHistory history, TableVersions versions) {
        this.history = history;
        this.versions = versions;
        this.writers = new int[history.txnCount];
        this.commits = new long[history.txnCount];
        int found = 0;
        for (int txn = 0; txn < history.txnCount; txn++) {
            if (versions.counts[txn] && versions.writes(txn)) {
                commits[found] = versions.commitTs(txn);
                writers[found++] = txn;
            }
        }
        count = found;
        RadixSort.sort(commits, writers, count);
        this.byStart = new int[count];
        this.starts = new long[count];
        for (int position = 0; position < count; position++) {
            byStart[position] = position;
            starts[position] = history.startTs[writers[position]];
        }
        RadixSort.sort(starts, byStart, count);
    }

    /** Receiver of a transaction and the versions written while it ran. */
    interface Overlap {
        void accept(int txn, IntColumn slots);
    }

    /** Shows every committed transaction that reads by a predicate. */
    void forEach(Overlap to) {
        int[] readers = new int[history.txnCount];
        long[] highs = new long[history.txnCount];
        int found = 0;
        for (int txn = 0; txn < history.txnCount; txn++) {
            long high = history.status[txn] == TxnStatus.COMMITTED ? endOfLooks(txn) : TableHistory.NO_NUMBER;
            if (high != TableHistory.NO_NUMBER) {
                highs[found] = high;
                readers[found++] = txn;
            }
        }
        RadixSort.sort(highs, readers, found);
        for (int i = 0; i < found; i++) {
            collect(readers[i], highs[i]);
            to.accept(readers[i], slots);
        }
    }

    /** Returns the latest point of a transaction's predicate reads; NO_NUMBER if it has none. */
    private long endOfLooks(int txn) {
        long high = TableHistory.NO_NUMBER;
        for (int op = history.firstOpOf[txn]; op < history.firstOpOf[txn + 1]; op++) {
            if (OpKind.isPredicate(history.kind[op])) {
                high = Math.max(Math.max(high, versions.commitTs(txn)), history.readTs(op));
            }
        }
        return high;
    }

    private long beginOfLooks(int txn) {
        long low = history.startTs[txn];
        for (int op = history.firstOpOf[txn]; op < history.firstOpOf[txn + 1]; op++) {
            boolean isNamed = OpKind.isPredicate(history.kind[op]) && history.readTs(op) != TableHistory.NO_NUMBER;
            low = isNamed ? Math.min(low, history.readTs(op)) : low;
        }
        return low;
    }

    private void collect(int txn, long high) {
        slots.clear();
        for (int position = firstAt(beginOfLooks(txn)); position < count && commits[position] <= high; position++) {
            addVersions(writers[position], txn);
        }
        for (; started < count && starts[started] <= high; started++) {
            open = openCount < open.length ? open : java.util.Arrays.copyOf(open, 2 * openCount);
            open[openCount++] = byStart[started];
        }
        int kept = 0;
        for (int i = 0; i < openCount; i++) {
            if (commits[open[i]] > high) { // other writers will not be open for any later transaction
                addVersions(writers[open[i]], txn);
                open[kept++] = open[i];
            }
        }
        openCount = kept;
    }

    private void addVersions(int writer, int reader) {
        for (int op = history.firstOpOf[writer]; writer != reader && op < history.firstOpOf[writer + 1]; op++) {
            int slot = versions.slotOfWrite(op);
            if (slot >= 0 && versions.isFinal[slot]) {
                slots.add(slot);
            }
        }
    }

    private int firstAt(long time) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (commits[middle] < time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
