package io.nightjar.jobs.watch;

import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.Column;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.SourceRemark;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.online.OnlineCheck;
import io.nightjar.pipeline.online.OnlineState;
import io.nightjar.pipeline.primitive.ByteFeed;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The initial contents of keys in a watch whose rows are judged by other tasks, as those tasks reported them. */
final class FollowedInitials {

    /** Transactions that stand for it are named by numbers that are hardly ever used: of these the ones in use are known. */
    private static final long LAST_ID = Long.MIN_VALUE + (1 << 20);

    private final OnlineCheck keys;
    private boolean isAny;

    FollowedInitials(WatchOptions options) {
        keys = InitialHistory.nobodys(options.check().timedLevels().get(0));
        keys.holdTexts();
        if (options.initial().isLearned()) {
            keys.learnInitial();
        }
    }

    /** Takes what a task has told. */
    void take(ByteFeed block) {
        isAny = true;
        OnlineState.readKeys(block, keys);
    }

    /** Transactions that wrote it before all rows; none if nothing was told. */
    List<HistorySlice> before(HistorySource rows) throws IOException {
        if (!isAny) {
            return List.of();
        }
        Look look = new Look();
        for (int split = 0; split < rows.splits().size(); split++) {
            try (SliceReader slices = rows.open(split, Set.of(Column.TIMESTAMPS), BadRows.PASS_OVER)) {
                for (HistorySlice slice = slices.next(); slice != null; slice = slices.next()) {
                    look.at(slice);
                }
            }
        }
        return keys.initialState(look.timeBefore(), look::unusedId);
    }

    /** Returns what to say of it at the end; null if nothing was learned. */
    @Nullable
    SourceRemark remark() {
        return InitialHistory.remark(keys.learnedKeys());
    }

    /** Which ids and times there are. */
    private static final class Look {

        private final LongSet used = new LongOpenHashSet();
        private long leastTime = Long.MAX_VALUE;
        private long lastUnused = Long.MIN_VALUE;

        private void at(HistorySlice slice) {
            for (int txn = 0; txn < slice.txnCount; txn++) {
                note(slice.txnId[txn]);
                note(slice.sessionId[txn]);
                boolean isTimed = slice.startTs != null
                        && slice.status[txn] == TxnStatus.COMMITTED
                        && slice.startTs[txn] != HistorySlice.NONE;
                if (isTimed) {
                    leastTime = Math.min(leastTime, slice.startTs[txn]);
                    long commit = ChosenRows.commit(slice, txn);
                    leastTime = commit == HistorySlice.NONE ? leastTime : Math.min(leastTime, commit);
                }
            }
        }

        private void note(long id) {
            if (id <= LAST_ID) {
                used.add(id);
            }
        }

        private long timeBefore() {
            return leastTime == Long.MAX_VALUE ? 0 : leastTime - 1;
        }

        private long unusedId() {
            do {
                lastUnused++;
            } while (used.contains(lastUnused));
            return lastUnused;
        }
    }
}
