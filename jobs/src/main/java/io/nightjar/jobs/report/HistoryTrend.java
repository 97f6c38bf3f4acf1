package io.nightjar.jobs.report;

import java.util.List;

/**
 * One history over the nights.
 *
 * @param nights its runs, the oldest first, at most so many as are shown
 * @param runCount how many there are
 * @param newCount anomalies of the latest run that the one before did not have; null if there was none before
 * @param isShown whether its latest run is on the page
 */
record HistoryTrend(String historyId, String uri, List<Night> nights, long runCount, Long newCount, boolean isShown) {

    /** One run in short. */
    record Night(String runId, String verdict, String finishedAt, long anomalies) {}

    Night latest() {
        return nights.get(nights.size() - 1);
    }
}
