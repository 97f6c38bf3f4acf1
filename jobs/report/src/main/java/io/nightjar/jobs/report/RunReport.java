package io.nightjar.jobs.report;

import io.nightjar.jobs.lake.LakeRow;
import io.nightjar.jobs.lake.StoredRun;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Content of a page for one run.
 *
 * @param baseline the run it is compared with; null if none
 * @param counts numbers of its anomalies; new ones without related reports
 * @param groups groups of anomalies, worst first
 * @param rows rows of the smaller tables
 * @param map distribution of the anomalies over time and keys; null without anomalies
 * @param trend the runs of its history; null on a page with several histories
 */
record RunReport(
        StoredRun run,
        @Nullable Baseline baseline,
        AnomalyGroup.Counts counts,
        List<AnomalyGroup> groups,
        SmallTables rows,
        HistoryView historyView,
        @Nullable AnomalyMap map,
        @Nullable HistoryTrend trend) {

    /**
     * An earlier run.
     *
     * @param goneCount number of its fingerprints that this run lacks
     * @param gone anomalies with such fingerprints, up to the display limit
     * @param isAlike whether it checked the same levels from the same evidence
     */
    record Baseline(String runId, String finishedAt, long goneCount, List<LakeRow.Anomaly> gone, boolean isAlike) {}

    /**
     * Rows of the smaller tables; only the first rows of long tables.
     *
     * @param deadLetterCount total number of dead letters
     * @param componentCount total number of components
     */
    record SmallTables(
            List<LakeRow.LintFinding> lint,
            List<LakeRow.DeadLetter> deadLetters,
            long deadLetterCount,
            List<LakeRow.Component> components,
            long componentCount,
            List<LakeRow.Stage> stages) {}

    /** Returns the number of anomalies shown in full. */
    int shownCount() {
        return groups.stream().mapToInt(group -> group.shown().shown().size()).sum();
    }

    int listedCount() {
        return groups.stream().mapToInt(group -> group.shown().listed().size()).sum();
    }
}
