package io.nightjar.jobs.watch;

import io.nightjar.jobs.read.HistorySummary;
import io.nightjar.pipeline.online.OnlineCheck;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Progress of the check of arrivals, in this process or in other tasks. */
interface WatchState {

    /** Returns all counts since the watch began, over all restarts. */
    LiveCounts counts();

    /** Returns the time up to which verdicts are final. */
    long watermark();

    /** Returns whether the watch continues an earlier one, so that not all rows were checked since its start. */
    boolean isResumed();

    /** Returns the check that has the initial states of keys. */
    OnlineCheck initials();

    /** Returns whether late rows require another check of sealed rows, and records that it begins. */
    boolean beginsSegmentCheck();

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
