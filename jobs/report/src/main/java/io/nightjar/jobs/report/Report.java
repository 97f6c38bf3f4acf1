package io.nightjar.jobs.report;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * Content of a page.
 *
 * @param version version of the program that created the page
 * @param histories all histories of the lake; empty if the page covers one run
 * @param runs the runs that are shown in full, worst first
 */
public record Report(Path lake, Instant madeAt, String version, List<HistoryTrend> histories, List<RunReport> runs) {

    /** Returns the number of anomalies of the shown runs. */
    public long anomalyCount() {
        return runs.stream().mapToLong(run -> run.counts().faults()).sum();
    }

    /** Returns the number of listed anomalies. */
    public long listedCount() {
        return runs.stream().mapToLong(RunReport::listedCount).sum();
    }

    /** Returns the ids of the shown runs. */
    public List<String> runIds() {
        return runs.stream().map(report -> report.run().runId()).toList();
    }

    /** Returns the worst verdict among these runs, in the spelling of the tables. */
    public String verdict() {
        for (String word : List.of("violated", "undecided")) {
            if (runs.stream()
                    .anyMatch(report -> report.run().result().verdict().word().equals(word))) {
                return word;
            }
        }
        return "holds";
    }

    /** Returns the number of histories whose latest run is not shown. */
    public long leftOutHistories() {
        return histories.stream().filter(history -> !history.isShown()).count();
    }
}
