package io.nightjar.jobs.report;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs of one history over time.
 *
 * @param runs the latest ones, oldest first, up to the display limit
 * @param runCount total number of runs
 * @param newCount anomalies of the latest run absent from the previous run; null without a previous run
 * @param isShown whether the page shows its latest run
 */
record HistoryTrend(
        String historyId, String uri, List<Run> runs, long runCount, @Nullable Long newCount, boolean isShown) {

    /** Summary of one run. */
    record Run(String runId, String verdict, String finishedAt, long anomalies) {}

    Run latest() {
        return runs.get(runs.size() - 1);
    }
}
