package io.nightjar.jobs.check;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.ForwardingSource;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.decide.Witness;
import io.nightjar.pipeline.primitive.RadixSort;
import java.io.IOException;
import java.util.Arrays;
import java.util.Set;

/**
 * A history whose timestamps are the positions of a witness, so that the checks by timestamps can verify the witness.
 */
final class WitnessTimestampSource extends ForwardingSource {

    /*
     * In a witness, writes that committed before a position are visible to a snapshot at it; with timestamps, a commit
     * at t is visible to a start at t. So a snapshot at position p starts at 2 p, and a commit at it happens at 2 p +
     * 1.
     *
     * Transactions without a position in the witness have no timestamps and are not checked.
     */

    private final Witness witness;
    private final boolean isWhole;
    private final long[] sortedIds;
    private final int[] txnOfSorted;

    /** @param isWhole whether the witness is to place every transaction that committed */
    WitnessTimestampSource(HistorySource source, Witness witness, boolean isWhole) {
        super(source);
        this.witness = witness;
        this.isWhole = isWhole;
        sortedIds = witness.txnIds().clone();
        txnOfSorted = new int[sortedIds.length];
        for (int txn = 0; txn < txnOfSorted.length; txn++) {
            txnOfSorted[txn] = txn;
        }
        RadixSort.sort(sortedIds, txnOfSorted, txnOfSorted.length);
    }

    private HistorySlice withPositions(HistorySlice slice) {
        long[] start = new long[slice.txnCount];
        long[] commit = new long[slice.txnCount];
        int at = -1;
        for (int row = 0; row < slice.txnCount; row++) {
            at = find(slice.txnId[row], at + 1);
            start[row] = at < 0 ? HistorySlice.NONE : 2L * witness.snapshotOf()[txnOfSorted[at]];
            commit[row] = at < 0 ? HistorySlice.NONE : 2L * witness.commitOf()[txnOfSorted[at]] + 1;
            if (at < 0 && isWhole && slice.status[row] == TxnStatus.COMMITTED) {
                throw new AssertionError("witness leaves a transaction out: txn=" + slice.txnId[row]);
            }
        }
        return slice.withTimestamps(start, commit);
    }

    /** @param guess its index if ids are in order, as they often are; otherwise any number */
    private int find(long id, int guess) {
        return guess >= 0 && guess < sortedIds.length && sortedIds[guess] == id
                ? guess
                : Arrays.binarySearch(sortedIds, id);
    }

    @Override
    public SliceReader open(int split, Set<ColumnGroup> wanted, BadRowHandler badRows) throws IOException {
        return source.open(split, wanted, badRows).map(this::withPositions);
    }

    /** Does nothing: the creator of the source closes it. */
    @Override
    public void close() {}
}
