package io.nightjar.jobs.report;

import io.nightjar.jobs.lake.LakeRow;
import io.nightjar.jobs.lake.StoredRun;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run with all that the page tells of it.
 *
 * @param baseline the run it is compared with; null if there is none
 * @param anomalyCount how many faults the tables have, each once however often it is told
 * @param rowCount how many anomalies they list, other tellings and lint included
 * @param newCount how many of them the baseline did not have; null without one
 * @param groups the worst first
 * @param rows what the smaller tables have
 */
record RunReport(
        StoredRun run,
        @Nullable Baseline baseline,
        long anomalyCount,
        long rowCount,
        @Nullable Long newCount,
        List<AnomalyGroup> groups,
        SmallTables rows,
        HistoryLook look) {

    /**
     * An earlier run.
     *
     * @param goneCount fingerprints that it had and this run has not
     * @param isAlike whether it was asked for the same levels and decided them from the same evidence
     */
    record Baseline(String runId, String finishedAt, long goneCount, boolean isAlike) {}

    /**
     * The rows of the smaller tables, of the longer ones the first.
     *
     * @param deadLetterCount how many there are
     * @param componentCount how many there are
     */
    record SmallTables(
            List<LakeRow.LintFinding> lint,
            List<LakeRow.DeadLetter> deadLetters,
            long deadLetterCount,
            List<LakeRow.Component> components,
            long componentCount,
            List<LakeRow.Stage> stages) {}

    /** How many anomalies are told in full. */
    int toldCount() {
        return groups.stream().mapToInt(group -> group.shown().told().size()).sum();
    }

    int listedCount() {
        return groups.stream().mapToInt(group -> group.shown().listed().size()).sum();
    }
}
