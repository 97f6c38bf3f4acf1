package io.nightjar.jobs.report;

import io.nightjar.formats.finding.AnomalyTitle;
import io.nightjar.jobs.lake.LakeRow;
import io.nightjar.jobs.sql.StoredAnomaly;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Anomalies of one kind in one run.
 *
 * @param count how many are in the tables
 * @param newCount how many of them the run before did not have; null if there was none before
 * @param keys the keys that most of them are on
 * @param sessions the sessions that take part in most of them
 */
record AnomalyGroup(
        Kind kind, long count, @Nullable Long newCount, List<Often> keys, List<Often> sessions, Shown shown) {

    /**
     * What the anomalies of a group have in common.
     *
     * @param pattern the classic name; null if none fits
     * @param level the weakest level asked for that they rule out; null if none
     */
    record Kind(String type, @Nullable String pattern, @Nullable String level) {}

    /**
     * The anomalies of a group that a page has.
     *
     * @param told those that are told in full, the first an example of all
     * @param listed those that are listed, the told ones first
     * @param newIds the ids of listed ones that the run before did not have
     */
    record Shown(List<StoredAnomaly> told, List<LakeRow.Anomaly> listed, Set<String> newIds) {}

    /** Returns the name that people read; one that fits all of them. */
    String title() {
        List<String> titles =
                shown.listed().stream().map(LakeRow.Anomaly::title).distinct().toList();
        return titles.size() == 1 && shown.listed().size() == count
                ? titles.get(0)
                : AnomalyTitle.of(kind.type(), kind.pattern(), null);
    }

    /** A key or session and in how many anomalies it takes part. */
    record Often(String name, long count) {}
}
