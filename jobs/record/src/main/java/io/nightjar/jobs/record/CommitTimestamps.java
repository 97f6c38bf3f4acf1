package io.nightjar.jobs.record;

import io.nightjar.formats.history.HistorySlice;
import it.unimi.dsi.fastutil.longs.Long2LongLinkedOpenHashMap;
import java.io.Closeable;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Commit timestamps of a recording, with the groups of commits that became visible between the same two snapshots. */
final class CommitTimestamps implements VisibilityOrder.Target, Closeable {

    /*
     * Definitions. A gap is the interval between two adjacent snapshots. The commits that became visible in a gap have
     * consecutive timestamps.
     *
     * Algorithm. The log determines the order of commits within a gap. It may interleave gaps, but no more at a time
     * than the number of sessions: so only the latest started gaps are buffered.
     */

    private static final int GAPS_IN_MEMORY = 1 << 17;

    private final TxnColumn timestamps;
    private final @Nullable TxnColumn gaps;

    /** @param hasLog whether a log order will be available to arrange gaps */
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

    /** Returns the commit timestamp of a transaction, {@code NONE} if it has none. */
    long of(long txnId) throws IOException {
        return timestamps.get(txnId);
    }

    /** Arranges the commits of each gap in log order; commits missing from the log did not happen. */
    void arrange(LoggedCommits log) throws IOException {
        TxnColumn gapOf = Objects.requireNonNull(gaps); // set if a log exists
        Long2LongLinkedOpenHashMap taken = new Long2LongLinkedOpenHashMap();
        for (long position = 0; position < log.count(); position++) {
            long txnId = log.txnAt(position);
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
