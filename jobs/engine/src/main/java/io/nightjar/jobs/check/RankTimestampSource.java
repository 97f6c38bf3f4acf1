package io.nightjar.jobs.check;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.ForwardingSource;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.check.timestamp.EarliestSnapshots;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A history whose timestamps are the positions of its transactions in some order, and the snapshots that were found for
 * them: snapshots and commits are encoded as in {@link WitnessTimestampSource}, but addressed by row and not by id.
 */
final class RankTimestampSource extends ForwardingSource {

    private final long[] firstRowOf;
    private final int splitCount;
    private final int @Nullable [] positionOf;
    private final @Nullable EarliestSnapshots snapshots;

    /**
     * @param firstRowOf by split, number of rows before it
     * @param splitCount number of leading splits that it has
     * @param positionOf by row; null if rows are in the order of positions
     * @param snapshots null if each transaction observes all that committed before
     */
    RankTimestampSource(
            HistorySource source,
            long[] firstRowOf,
            int splitCount,
            int @Nullable [] positionOf,
            @Nullable EarliestSnapshots snapshots) {
        super(source);
        this.firstRowOf = firstRowOf;
        this.splitCount = splitCount;
        this.positionOf = positionOf;
        this.snapshots = snapshots;
    }

    @Override
    public List<Split> splits() {
        return source.splits().subList(0, splitCount);
    }

    private HistorySlice placed(HistorySlice slice, long firstRow) {
        long[] start = new long[slice.txnCount];
        long[] commit = new long[slice.txnCount];
        for (int txn = 0; txn < slice.txnCount; txn++) {
            int row = (int) (firstRow + txn);
            int position = positionOf == null ? row : positionOf[row];
            boolean isPlaced = slice.status[txn] == TxnStatus.COMMITTED;
            start[txn] =
                    isPlaced ? 2L * (snapshots == null ? position : snapshots.seenBy(position)) : HistorySlice.NONE;
            commit[txn] = isPlaced ? 2L * position + 1 : HistorySlice.NONE;
        }
        return slice.withTimestamps(start, commit);
    }

    @Override
    public SliceReader open(int split, Set<ColumnGroup> wanted, BadRowHandler badRows) throws IOException {
        long[] nextRow = {firstRowOf[split]};
        return source.open(split, wanted, badRows).map(slice -> {
            long firstRow = nextRow[0];
            nextRow[0] += slice.txnCount;
            return placed(slice, firstRow);
        });
    }

    /** Does nothing: the creator of the source closes it. */
    @Override
    public void close() {}
}
