package io.nightjar.jobs.watch;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.jobs.read.HistorySummary;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Progress of the check of arrivals, in this process or in other tasks. */
interface WatchState {

    /** Returns all counts since the watch began, over all restarts. */
    LiveCounts counts();

    /** Returns the time up to which verdicts are final. */
    long watermark();

    /** Returns whether the watch continues an earlier one, so that not all rows were checked since its start. */
    boolean isResumed();

    /** Returns the values before all arrivals, as transactions. */
    List<HistorySlice> initialState();

    /** Returns the number of keys with a learned initial state. */
    long learnedKeys();

    /** Returns whether late rows require another check of sealed rows. */
    boolean needsSegmentCheck();

    /** Records that such a check begins. */
    void beginSegmentCheck();

    /** Returns the validation summary of all rows; null if it requires another pass. Called once. */
    @Nullable
    HistorySummary summary() throws IOException;

    /** Returns the number of sessions, where rows may be deleted before the end. */
    long sessionCount();

    /** Returns the memory for the check at the end. */
    long memoryAtEnd();

    /** Begins another interval of latencies. */
    void beginInterval();
}
