package io.nightjar.jobs.watch;

import io.nightjar.jobs.read.HistorySummary;
import io.nightjar.pipeline.online.OnlineCheck;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Engine of a watch: checks arrivals in this process, or follows the tasks that do. */
interface WatchEngine extends AutoCloseable {

    // ---------------------------------------------------------------- running

    RowArchive kept();

    /** Returns the capacity for kept rows; beyond it they are checked and dropped. */
    long retainBytes();

    /**
     * Starts, or resumes from the last checkpoint.
     *
     * @param reported receives all changes of findings
     * @param segments determines the transactions that are too late
     */
    void begin(ReportedFindings reported, SegmentedCheck segments) throws IOException;

    /** Takes a step; returns whether the sources have ended and everything has been consumed. */
    boolean step() throws IOException, InterruptedException;

    /** Returns why the watch must end, since waiting does not release memory; null if it can continue. */
    @Nullable
    String exhaustedReason();

    boolean isCheckpointDue();

    /** Writes the state for a successor, except segments, into files that the returned record names. */
    Checkpoint.State save() throws IOException;

    /** Seals all arrivals, or those up to the watermark; returns whether all are sealed. */
    boolean end(boolean isEarly) throws IOException;

    @Override
    void close() throws IOException;

    // ---------------------------------------------------------------- state

    /** Returns all counts since the watch began, over all restarts. */
    LiveCounts counts();

    /** Returns the time up to which verdicts are final. */
    long watermark();

    /** Returns the same to report; the last commit if everything is sealed. */
    default long shownWatermark() {
        return watermark();
    }

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
