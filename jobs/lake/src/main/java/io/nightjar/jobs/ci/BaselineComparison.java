package io.nightjar.jobs.ci;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.lake.LakeRow;
import io.nightjar.jobs.sql.SqlSession;
import io.nightjar.jobs.sql.StoredRows;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The anomalies of stored runs, compared by fingerprint with the anomalies of other runs. */
public final class BaselineComparison implements AutoCloseable {

    /** Steps and transactions of one anomaly that are read: as many as GitHub shows of a flow. */
    private static final int MAX_STEPS = 1_000;

    private static final String IS_COMPARABLE =
            "(level_violated IS NULL OR level_violated NOT IN (SELECT level FROM ci_changed))";

    private final SqlSession session;

    private BaselineComparison(SqlSession session) {
        this.session = session;
    }

    public static BaselineComparison open(Lake lake) {
        BaselineComparison anomalies = new BaselineComparison(SqlSession.open(lake));
        anomalies.session.rows("CREATE TEMP TABLE ci_known (fingerprint VARCHAR)");
        anomalies.session.rows("CREATE TEMP TABLE ci_changed (level VARCHAR)");
        return anomalies;
    }

    /**
     * Makes the fingerprints of these runs the baseline.
     *
     * @param changed levels at which nothing is new, because these runs had another definition of them
     */
    public void compareWith(List<String> runIds, Set<IsolationLevel> changed) {
        session.rows("DELETE FROM ci_known");
        session.rows("DELETE FROM ci_changed");
        for (IsolationLevel level : changed) {
            session.rows("INSERT INTO ci_changed VALUES ('" + level.longName() + "')");
        }
        for (String runId : runIds) {
            session.restrictTo(runId);
            session.rows("INSERT INTO ci_known SELECT DISTINCT fingerprint FROM anomalies WHERE fingerprint NOT IN"
                    + " (SELECT fingerprint FROM ci_known)");
        }
    }

    /**
     * The number of fingerprints of a run that are not in the baseline, and of rows of anomalies that it has.
     *
     * @param newOnes by fingerprint, of anomalies that rule out a level
     */
    public record Counts(long newOnes, long rows) {}

    public Counts count(String runId) {
        session.restrictTo(runId);
        return StoredRows.read(
                        session,
                        Counts.class,
                        "SELECT count(DISTINCT a.fingerprint) FILTER (WHERE k.fingerprint IS NULL AND"
                                + " a.level_violated IS NOT NULL AND a.level_violated NOT IN (SELECT level FROM ci_changed)) AS new_ones, count(*) AS \"rows\""
                                + " FROM anomalies a LEFT JOIN ci_known k ON k.fingerprint = a.fingerprint")
                .get(0);
    }

    /**
     * Returns the first anomalies of a run with their evidence: new ones before others, some of each type before more
     * of one.
     */
    public List<CiAnomaly> first(String runId, int max) {
        choose(runId, max, "true");
        return read();
    }

    /** Returns one anomaly for each fingerprint of some runs that is not in the baseline. */
    public List<CiAnomaly> firstNew(List<String> runIds, int max) {
        Map<String, CiAnomaly> byFingerprint = new LinkedHashMap<>();
        for (String runId : runIds) {
            choose(runId, max, "is_new QUALIFY row_number() OVER (PARTITION BY fingerprint ORDER BY anomaly_id) = 1");
            read().forEach(anomaly -> byFingerprint.putIfAbsent(anomaly.fingerprint(), anomaly));
        }
        return byFingerprint.values().stream().limit(max).toList();
    }

    /** Returns the number of fingerprints of some runs that are not in the baseline. */
    public long unknown(List<String> runIds) {
        return distinct(runIds, IS_COMPARABLE + " AND fingerprint NOT IN");
    }

    /** Returns the number of fingerprints of some runs that are in the baseline. */
    public long known(List<String> runIds) {
        return distinct(runIds, "fingerprint IN");
    }

    private record Distinct(long fingerprints) {}

    private long distinct(List<String> runIds, String relation) {
        session.rows("CREATE OR REPLACE TEMP TABLE ci_counted (fingerprint VARCHAR, level_violated VARCHAR)");
        for (String runId : runIds) {
            session.restrictTo(runId);
            session.rows("INSERT INTO ci_counted SELECT DISTINCT fingerprint, level_violated FROM anomalies");
        }
        return StoredRows.read(
                        session,
                        Distinct.class,
                        "SELECT count(DISTINCT fingerprint) AS fingerprints FROM ci_counted WHERE " + relation
                                + " (SELECT fingerprint FROM ci_known)")
                .get(0)
                .fingerprints();
    }

    private void choose(String runId, int max, String condition) {
        session.restrictTo(runId);
        session.rows(
                "CREATE OR REPLACE TEMP TABLE ci_chosen AS SELECT *, row_number() OVER (ORDER BY level_violated IS NULL, NOT is_new, is_other_telling,"
                        + " position, anomaly_type, anomaly_id) AS ord FROM (SELECT a.*, k.fingerprint IS NULL AND "
                        + IS_COMPARABLE + " AS is_new,"
                        + " a.related_anomaly_id IS NOT NULL AS is_other_telling, row_number() OVER (PARTITION BY a.anomaly_type"
                        + " ORDER BY a.anomaly_id) AS position FROM anomalies a LEFT JOIN ci_known k ON k.fingerprint = a.fingerprint)"
                        + " WHERE " + condition + " ORDER BY ord LIMIT " + max);
    }

    private record Chosen(LakeRow.Anomaly anomaly, boolean isNew) {}

    private List<CiAnomaly> read() {
        Map<String, List<LakeRow.AnomalyTxn>> txnsOf = StoredRows.read(
                        session,
                        LakeRow.AnomalyTxn.class,
                        "SELECT t.* FROM anomaly_txns t JOIN ci_chosen c ON c.anomaly_id = t.anomaly_id"
                                + " WHERE t.txn_seq <= " + MAX_STEPS + " ORDER BY c.ord, t.txn_seq")
                .stream()
                .collect(Collectors.groupingBy(txn -> txn.anomaly().anomalyId()));
        Map<String, List<LakeRow.AnomalyEdge>> edgesOf = StoredRows.read(
                        session,
                        LakeRow.AnomalyEdge.class,
                        "SELECT e.* FROM anomaly_edges e JOIN ci_chosen c ON c.anomaly_id = e.anomaly_id"
                                + " WHERE e.edge_seq <= " + MAX_STEPS + " ORDER BY c.ord, e.edge_seq")
                .stream()
                .collect(Collectors.groupingBy(edge -> edge.anomaly().anomalyId()));
        List<CiAnomaly> anomalies = new ArrayList<>();
        for (Chosen chosen : StoredRows.read(session, Chosen.class, "SELECT * FROM ci_chosen ORDER BY ord")) {
            String id = chosen.anomaly().id().anomalyId();
            anomalies.add(new CiAnomaly(
                    chosen.anomaly(),
                    chosen.isNew(),
                    txnsOf.getOrDefault(id, List.of()),
                    edgesOf.getOrDefault(id, List.of())));
        }
        return anomalies;
    }

    @Override
    public void close() {
        session.close();
    }
}
