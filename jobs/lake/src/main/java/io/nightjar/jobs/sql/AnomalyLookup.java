package io.nightjar.jobs.sql;

import io.nightjar.formats.finding.AnomalyTitle;
import io.nightjar.jobs.lake.LakeRow;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds single anomalies in a lake, with the rows that are their evidence. */
public final class AnomalyLookup {

    private final SqlSession session;

    /** @param session over all runs, or restricted to the run to search */
    public AnomalyLookup(SqlSession session) {
        this.session = session;
    }

    /** Returns the ids that begin with these characters, sorted, up to the limit. */
    public List<String> idsThatBeginWith(String prefix, int limit) {
        return session.strings("SELECT DISTINCT a.anomaly_id FROM anomalies a WHERE starts_with(a.anomaly_id, "
                + LakeViews.literal(prefix) + ") ORDER BY a.anomaly_id LIMIT " + limit);
    }

    /** Returns the ids that are most similar to an id. */
    public List<String> idsLike(String wrong, int limit) {
        return session.strings(
                "SELECT a.anomaly_id FROM anomalies a GROUP BY a.anomaly_id ORDER BY levenshtein(a.anomaly_id, "
                        + LakeViews.literal(wrong) + "), a.anomaly_id LIMIT " + limit);
    }

    /** An anomaly in a list. */
    public record Listed(
            String anomalyId,
            String anomalyType,
            @Nullable String pattern,
            @Nullable String observedOrigin,
            @Nullable String levelViolated,
            @Nullable String objectKey,
            String explanation) {

        /** Returns its classic name, its type, its key and the level that it rules out. */
        public String title() {
            return AnomalyTitle.of(anomalyType, pattern, observedOrigin)
                    + (objectKey == null ? "" : " on key " + objectKey)
                    + (levelViolated == null ? "" : " rules out " + levelViolated);
        }
    }

    /** Returns the anomalies of the latest run of each history, up to the limit. */
    public List<Listed> list(int limit) {
        return StoredRows.read(
                session,
                Listed.class,
                "SELECT a.anomaly_id, a.anomaly_type, a.pattern, a.observed_origin, a.level_violated, a.object_key, a.explanation"
                        + " FROM anomalies a JOIN v_latest_run r ON r.run_id = a.run_id"
                        + " ORDER BY r.started_at DESC, r.run_id, a.anomaly_type, a.anomaly_id LIMIT " + limit);
    }

    /** Returns the types of anomalies in which some of these transactions participate. */
    public Set<String> typesAmong(Collection<Long> txnIds) {
        return new TreeSet<>(session.strings("SELECT DISTINCT a.anomaly_type FROM anomalies a JOIN anomaly_txns t"
                + " USING (run_id, anomaly_id) WHERE t.txn_id IN ("
                + txnIds.stream().map(String::valueOf).collect(Collectors.joining(", ")) + ")"));
    }

    /** The latest run with an anomaly, and the number of runs with it. */
    private record Found(String runId, String historyUri, String finishedAt, long runCount) {}

    /** Returns an anomaly as the latest run that found it recorded it; restricts the session to that run. */
    public StoredAnomaly read(String anomalyId) {
        String id = LakeViews.literal(anomalyId);
        Found found = StoredRows.read(
                        session,
                        Found.class,
                        "SELECT a.run_id, r.history_uri, r.finished_at, count(*) OVER () AS run_count"
                                + " FROM anomalies a JOIN runs r ON r.run_id = a.run_id WHERE a.anomaly_id = " + id
                                + " ORDER BY r.started_at DESC, r.run_id DESC LIMIT 1")
                .get(0);
        session.restrictTo(found.runId());
        String where = " WHERE anomaly_id = " + id;
        return new StoredAnomaly(
                StoredRows.read(session, LakeRow.Anomaly.class, "SELECT * FROM anomalies" + where)
                        .get(0),
                StoredRows.read(
                        session, LakeRow.AnomalyTxn.class, "SELECT * FROM anomaly_txns" + where + " ORDER BY txn_seq"),
                StoredRows.read(
                        session,
                        LakeRow.AnomalyEdge.class,
                        "SELECT * FROM anomaly_edges" + where + " ORDER BY edge_seq"),
                found.historyUri(),
                found.finishedAt(),
                found.runCount());
    }

    /** Returns a text as SQL has it, in quotes. */
    public static String literal(String text) {
        return LakeViews.literal(text);
    }
}
