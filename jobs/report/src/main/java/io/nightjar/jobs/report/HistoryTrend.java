package io.nightjar.jobs.report;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The runs of one history over time.
 *
 * @param nights its runs, the oldest first, at most as many as are shown
 * @param runCount how many there are
 * @param newCount anomalies of the latest run that the one before did not have; null if there was none before
 * @param isShown whether its latest run is on the page
 */
record HistoryTrend(
        String historyId, String uri, List<Night> nights, long runCount, @Nullable Long newCount, boolean isShown) {

    /** One run in short. */
    record Night(String runId, String verdict, String finishedAt, long anomalies) {}

    Night latest() {
        return nights.get(nights.size() - 1);
    }
}
