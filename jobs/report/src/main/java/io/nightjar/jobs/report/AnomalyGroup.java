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
 * @param count number of anomalies in the tables
 * @param newCount number absent from the previous run; null without a previous run
 * @param keys the most frequent keys
 * @param sessions the most frequent sessions
 */
record AnomalyGroup(
        Kind kind, long count, @Nullable Long newCount, List<Often> keys, List<Often> sessions, Shown shown) {

    /**
     * Properties shared by the anomalies of a group.
     *
     * @param pattern the common name of the anomaly; null if none applies
     * @param level the weakest requested level that they rule out; null if none
     */
    record Kind(String type, @Nullable String pattern, @Nullable String level) {}

    /**
     * Anomalies of the group shown on a page.
     *
     * @param shown anomalies shown in full; the first is the example of the group
     * @param listed anomalies shown as rows, starting with the full ones
     * @param newIds ids of listed anomalies absent from the previous run
     */
    record Shown(List<StoredAnomaly> shown, List<LakeRow.Anomaly> listed, Set<String> newIds) {}

    /** Returns the readable name that applies to all of them. */
    String title() {
        List<String> titles =
                shown.listed().stream().map(LakeRow.Anomaly::title).distinct().toList();
        return titles.size() == 1 && shown.listed().size() == count
                ? titles.get(0)
                : AnomalyTitle.of(kind.type(), kind.pattern(), null);
    }

    /** A key or session with the number of anomalies in which it participates. */
    record Often(String name, long count) {}
}
