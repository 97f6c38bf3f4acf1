package io.nightjar.jobs.watch;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.SourceDiagnostic;
import io.nightjar.pipeline.online.OnlineCheck;
import io.nightjar.pipeline.online.OnlineCheckCodec;
import io.nightjar.pipeline.primitive.ByteReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The initial state in a watch whose rows are checked by other tasks, as these tasks reported it. */
final class FollowedInitials {

    private final OnlineCheck keys;

    FollowedInitials(WatchOptions options) {
        keys = InitialHistory.nobodys(options.check().timedLevels().get(0));
        keys.retainValueTexts();
        if (options.initial().isLearned()) {
            keys.learnInitial();
        }
    }

    /** Consumes a block that a task reported. */
    void take(ByteReader block) {
        OnlineCheckCodec.readKeys(block, keys);
    }

    /** Returns transactions that wrote the initial state before all rows; none if no task reported any. */
    List<HistorySlice> before() {
        return keys.initialState();
    }

    /** Returns the diagnostic for the end of the watch; null if no state was learned. */
    @Nullable
    SourceDiagnostic remark() {
        return InitialHistory.remark(keys.learnedKeys());
    }
}
