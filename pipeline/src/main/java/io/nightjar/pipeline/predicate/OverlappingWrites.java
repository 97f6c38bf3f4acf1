package io.nightjar.pipeline.predicate;

import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.primitive.IntColumn;
import it.unimi.dsi.fastutil.ints.IntArrayList;

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
    private final TimeOrder writers; // by commit
    private final TimeOrder starts; // of positions in that order
    private int started;
    private final IntArrayList open = new IntArrayList(); // positions
    private final IntColumn slots = new IntColumn();

    OverlappingWrites(TableHistory history, TableVersions versions) {
        this.history = history;
        this.versions = versions;
        this.writers = TimeOrder.ofWriters(history, versions);
        this.starts =
                TimeOrder.of(writers.count(), position -> true, position -> history.startTs[writers.items()[position]]);
    }

    /** Receiver of a transaction and the versions written while it ran. */
    interface Overlap {
        void accept(int txn, IntColumn slots);
    }

    /** Shows every committed transaction that reads by a predicate. */
    void forEach(Overlap to) {
        TimeOrder readers = TimeOrder.of(
                history.txnCount,
                txn -> history.status[txn] == TxnStatus.COMMITTED && endOfLooks(txn) != TableHistory.NO_NUMBER,
                this::endOfLooks);
        for (int i = 0; i < readers.count(); i++) {
            collect(readers.items()[i], readers.times()[i]);
            to.accept(readers.items()[i], slots);
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
        long[] commits = writers.times();
        int first = writers.firstAt(beginOfLooks(txn));
        for (int position = first; position < writers.count() && commits[position] <= high; position++) {
            addVersions(writers.items()[position], txn);
        }
        for (; started < starts.count() && starts.times()[started] <= high; started++) {
            open.add(starts.items()[started]);
        }
        int kept = 0;
        for (int i = 0; i < open.size(); i++) {
            int position = open.getInt(i);
            if (commits[position] > high) { // other writers will not be open for any later transaction
                addVersions(writers.items()[position], txn);
                open.set(kept++, position);
            }
        }
        open.size(kept);
    }

    private void addVersions(int writer, int reader) {
        for (int op = history.firstOpOf[writer]; writer != reader && op < history.firstOpOf[writer + 1]; op++) {
            int slot = versions.slotOfWrite(op);
            if (slot >= 0 && versions.isFinal[slot]) {
                slots.add(slot);
            }
        }
    }
}
