package io.nightjar.jobs.sql;

import io.nightjar.jobs.lake.LakeRow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Finds single anomalies in a lake, with the rows that are their evidence. */
public final class AnomalyLookup {

    private final SqlSession session;

    /** @param session over all runs, or restricted to the one to look in */
    public AnomalyLookup(SqlSession session) {
        this.session = session;
    }

    /** The ids that begin with these characters, sorted; at most that many. */
    public List<String> idsThatBeginWith(String prefix, int limit) {
        return ids("SELECT DISTINCT a.anomaly_id FROM anomalies a WHERE starts_with(a.anomaly_id, "
                + LakeViews.literal(prefix) + ") ORDER BY a.anomaly_id LIMIT " + limit);
    }

    /** The ids that are most like this one. */
    public List<String> idsLike(String wrong, int limit) {
        return ids("SELECT a.anomaly_id FROM anomalies a GROUP BY a.anomaly_id ORDER BY levenshtein(a.anomaly_id, "
                + LakeViews.literal(wrong) + "), a.anomaly_id LIMIT " + limit);
    }

    private List<String> ids(String sql) {
        List<String> ids = new ArrayList<>();
        for (Map<String, Object> row : session.rows(sql)) {
            ids.add((String) row.get("anomaly_id"));
        }
        return ids;
    }

    /** The anomalies of the latest run of each history; at most that many. */
    public List<Map<String, Object>> list(int limit) {
        return session.rows("SELECT a.anomaly_id, a.anomaly_type, a.level_violated, a.object_key,"
                + " regexp_replace(a.explanation, '\\s*\n\\s*', ' ', 'g') AS explanation"
                + " FROM anomalies a JOIN v_latest_run r ON r.run_id = a.run_id"
                + " ORDER BY r.started_at DESC, r.run_id, a.anomaly_type, a.anomaly_id LIMIT " + limit);
    }

    /** The types of anomalies in which some of these transactions take part. */
    public Set<String> typesAmong(Collection<Long> txnIds) {
        Set<String> types = new TreeSet<>();
        for (Map<String, Object> row :
                session.rows("SELECT DISTINCT a.anomaly_type FROM anomalies a JOIN anomaly_txns t"
                        + " USING (run_id, anomaly_id) WHERE t.txn_id IN ("
                        + txnIds.stream().map(String::valueOf).collect(Collectors.joining(", ")) + ")")) {
            types.add((String) row.get("anomaly_type"));
        }
        return types;
    }

    /** An anomaly as the latest run that found it tells it; restricts the session to that run. */
    public StoredAnomaly read(String anomalyId) {
        String id = LakeViews.literal(anomalyId);
        Map<String, Object> found = session.rows(
                        "SELECT a.run_id, r.history_uri, r.finished_at, count(*) OVER () AS run_count"
                                + " FROM anomalies a JOIN runs r ON r.run_id = a.run_id WHERE a.anomaly_id = " + id
                                + " ORDER BY r.started_at DESC, r.run_id DESC LIMIT 1")
                .get(0);
        session.restrictTo((String) found.get("run_id"));
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
                (String) found.get("history_uri"),
                (String) found.get("finished_at"),
                (Long) found.get("run_count"));
    }

    /** A text as SQL has it, in quotes. */
    public static String literal(String text) {
        return LakeViews.literal(text);
    }
}
