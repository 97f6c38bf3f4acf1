package io.nightjar.jobs.watch;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.pipeline.check.Findings;
import java.io.IOException;
import java.util.List;

/** Checks sealed rows again after late rows that may change their verdicts, and reports the changes. */
final class LateRowCheck {

    private static final long MIN_PAUSE_MICROS = 1_000_000;
    private static final int PAUSE_FACTOR = 10; // times the duration of the last check

    private final SegmentedCheck segments;
    private final ReportedFindings reported;
    private final ProgressListener watcher;
    private long startedAt;
    private long nextAt;

    LateRowCheck(SegmentedCheck segments, ReportedFindings reported, ProgressListener watcher) {
        this.segments = segments;
        this.reported = reported;
        this.watcher = watcher;
        segments.setLateResultTaker(this::correct);
    }

    /** Returns whether no check is running and the pause after the last one is over. */
    boolean isPossible() throws IOException {
        return !segments.isRunning() && WatchClock.micros() >= nextAt;
    }

    /**
     * Begins a check in the background.
     *
     * @param upTo the watermark
     * @param before the initial states of keys, as transactions
     */
    void start(long upTo, List<HistorySlice> before) {
        startedAt = WatchClock.micros();
        segments.startAgain(upTo, before);
    }

    private void correct(Findings findings, long after, long upTo) {
        long before = reported.correctedCount();
        reported.correct(findings, after, upTo);
        watcher.printNote("sealed rows checked again after late rows: after=" + WatchStatus.time(after) + " upTo="
                + upTo + " corrected=" + (reported.correctedCount() - before));
        long now = WatchClock.micros();
        nextAt = now + Math.max(MIN_PAUSE_MICROS, PAUSE_FACTOR * (now - startedAt));
    }
}
