package io.nightjar.jobs.record;

import io.nightjar.formats.history.HistorySlice;
import it.unimi.dsi.fastutil.longs.Long2LongLinkedOpenHashMap;
import java.io.Closeable;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The commit timestamps of a recording, and which of them became visible between the same two snapshots. */
final class CommitTimestamps implements VisibilityOrder.Target, Closeable {

    /*
     * What became visible in one gap between two snapshots has the timestamps from its first one on. The log says in which order
     * those committed. It may mix gaps up, but not by more than there are sessions at a time: so of gaps that are begun
     * only the latest are kept.
     */

    private static final int GAPS_IN_MEMORY = 1 << 17;

    private final TxnColumn timestamps;
    private final @Nullable TxnColumn gaps;

    /** @param hasLog whether there will be an order to arrange gaps by */
    CommitTimestamps(boolean hasLog) throws IOException {
        this.timestamps = new TxnColumn();
        this.gaps = hasLog ? new TxnColumn() : null;
    }

    @Override
    public void commit(long txnId, long commitTs, long firstOfGap) throws IOException {
        timestamps.put(txnId, commitTs);
        if (gaps != null) {
            gaps.put(txnId, firstOfGap);
        }
    }

    /** The commit timestamp of a transaction, {@code NONE} if it has none. */
    long of(long txnId) throws IOException {
        return timestamps.get(txnId);
    }

    /** Arranges the commits of each gap as they are in the log; those that are not there did not happen. */
    void arrange(LoggedCommits log) throws IOException {
        TxnColumn gapOf = Objects.requireNonNull(gaps); // there is a log
        Long2LongLinkedOpenHashMap taken = new Long2LongLinkedOpenHashMap();
        for (long place = 0; place < log.count(); place++) {
            long txnId = log.txnAt(place);
            if (!log.hasWrites(txnId)) {
                log.addForeign();
                continue;
            }
            if (timestamps.get(txnId) == HistorySlice.NONE) {
                continue;
            }
            long gap = gapOf.get(txnId);
            long before = taken.getAndMoveToLast(gap);
            timestamps.put(txnId, gap + before);
            taken.putAndMoveToLast(gap, before + 1);
            if (taken.size() > GAPS_IN_MEMORY) {
                taken.removeFirstLong();
            }
        }
    }

    @Override
    public void close() throws IOException {
        timestamps.close();
        if (gaps != null) {
            gaps.close();
        }
    }
}
