package io.nightjar.jobs.report;

import io.nightjar.formats.finding.AnomalyTitle;
import io.nightjar.jobs.lake.LakeRow;
import io.nightjar.jobs.sql.StoredAnomaly;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Group of anomalies of one kind in one run.
 *
 * @param keys the most frequent keys
 * @param keyCount number of keys
 * @param sessions the most frequent sessions
 */
record AnomalyGroup(
        Kind kind, Counts counts, List<Often> keys, long keyCount, Span span, List<Often> sessions, Shown shown) {

    /**
     * Properties shared by the anomalies of a group.
     *
     * @param pattern the common name of the anomaly; null if none applies
     * @param origin origin of the observed value, as spelled in tables; null if unknown or no read is involved
     * @param level the weakest requested level that they rule out; null if none
     */
    record Kind(String type, @Nullable String pattern, @Nullable String origin, @Nullable String level) {

        /** Returns the classic name alone. */
        String name() {
            return AnomalyTitle.name(type, pattern, origin);
        }
    }

    /**
     * Numbers of anomalies in the tables.
     *
     * @param rows number with related reports
     * @param faults number of first reports that rule out a level
     * @param newCount number absent from the baseline; null without a baseline
     */
    record Counts(long rows, long faults, @Nullable Long newCount) {}

    /** Commit timestamps of the earliest and the latest participant; null without timestamps. */
    record Span(@Nullable Long first, @Nullable Long last) {}

    /**
     * Anomalies of the group shown on a page.
     *
     * @param shown anomalies shown in full; the first is the example of the group
     * @param listed anomalies shown as rows, starting with the full ones
     * @param newIds ids of listed anomalies absent from the previous run
     */
    record Shown(List<StoredAnomaly> shown, List<LakeRow.Anomaly> listed, Set<String> newIds) {}

    /** Returns the readable name. */
    String title() {
        return AnomalyTitle.of(kind.type(), kind.pattern(), kind.origin());
    }

    /** A key or session with the number of anomalies in which it participates. */
    record Often(String name, long count) {}
}
