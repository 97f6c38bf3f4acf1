package io.nightjar.jobs.report;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * All that a page shows.
 *
 * @param version of who made the page
 * @param histories every history of the lake; empty if the page is of one run
 * @param runs the runs that are shown in full, the worst first
 */
public record Report(Path lake, Instant madeAt, String version, List<HistoryTrend> histories, List<RunReport> runs) {

    /** How many anomalies the runs have that are shown. */
    public long anomalyCount() {
        return runs.stream().mapToLong(RunReport::anomalyCount).sum();
    }

    /** How many of them are listed. */
    public long listedCount() {
        return runs.stream().mapToLong(RunReport::listedCount).sum();
    }

    /** The ids of the runs that are shown. */
    public List<String> runIds() {
        return runs.stream().map(report -> report.run().runId()).toList();
    }

    /** The worst verdict among these runs, as the tables spell it. */
    public String verdict() {
        for (String word : List.of("violated", "undecided")) {
            if (runs.stream()
                    .anyMatch(report -> report.run().result().verdict().word().equals(word))) {
                return word;
            }
        }
        return "holds";
    }

    /** How many histories the lake has whose latest run is not shown. */
    public long leftOutHistories() {
        return histories.stream().filter(history -> !history.isShown()).count();
    }
}
