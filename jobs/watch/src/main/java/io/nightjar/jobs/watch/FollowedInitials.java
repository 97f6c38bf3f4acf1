package io.nightjar.jobs.watch;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.SourceDiagnostic;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.online.OnlineCheck;
import io.nightjar.pipeline.online.OnlineCheckCodec;
import io.nightjar.pipeline.primitive.ByteReader;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The initial state in a watch whose rows are checked by other tasks, as these tasks reported it. */
final class FollowedInitials {

    /**
     * Largest of the ids that are reserved for transactions of the initial state; rows that use such an id are
     * recorded.
     */
    private static final long LAST_ID = Long.MIN_VALUE + (1 << 20);

    private final OnlineCheck keys;
    private boolean isAny;

    FollowedInitials(WatchOptions options) {
        keys = InitialHistory.nobodys(options.check().timedLevels().get(0));
        keys.retainValueTexts();
        if (options.initial().isLearned()) {
            keys.learnInitial();
        }
    }

    /** Consumes a block that a task reported. */
    void take(ByteReader block) {
        isAny = true;
        OnlineCheckCodec.readKeys(block, keys);
    }

    /** Returns transactions that wrote the initial state before all rows; none if no task reported any. */
    List<HistorySlice> before(HistorySource rows) throws IOException {
        if (!isAny) {
            return List.of();
        }
        MinimumOfSource minimum = new MinimumOfSource();
        for (int split = 0; split < rows.splits().size(); split++) {
            try (SliceReader slices = rows.open(split, Set.of(ColumnGroup.TIMESTAMPS), BadRowHandler.PASS_OVER)) {
                for (HistorySlice slice = slices.next(); slice != null; slice = slices.next()) {
                    minimum.at(slice);
                }
            }
        }
        return keys.initialState(minimum.timeBefore(), minimum::unusedId);
    }

    /** Returns the diagnostic for the end of the watch; null if no state was learned. */
    @Nullable
    SourceDiagnostic remark() {
        return InitialHistory.remark(keys.learnedKeys());
    }

    /** Smallest time of a source, and its ids up to {@link #LAST_ID}. */
    private static final class MinimumOfSource {

        private final LongSet used = new LongOpenHashSet();
        private long minTime = Long.MAX_VALUE;
        private long lastUnused = Long.MIN_VALUE;

        private void at(HistorySlice slice) {
            for (int txn = 0; txn < slice.txnCount; txn++) {
                record(slice.txnId[txn]);
                record(slice.sessionId[txn]);
                boolean isTimed = slice.startTs != null
                        && slice.status[txn] == TxnStatus.COMMITTED
                        && slice.startTs[txn] != HistorySlice.NONE;
                if (isTimed) {
                    minTime = Math.min(minTime, slice.startTs[txn]);
                    long commit = FilteredSource.commit(slice, txn);
                    minTime = commit == HistorySlice.NONE ? minTime : Math.min(minTime, commit);
                }
            }
        }

        private void record(long id) {
            if (id <= LAST_ID) {
                used.add(id);
            }
        }

        private long timeBefore() {
            return minTime == Long.MAX_VALUE ? 0 : minTime - 1;
        }

        private long unusedId() {
            do {
                lastUnused++;
            } while (used.contains(lastUnused));
            return lastUnused;
        }
    }
}
