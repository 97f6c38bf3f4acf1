package io.nightjar.jobs.sql;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.AnomalyDefinition;
import io.nightjar.jobs.lake.LakeRow;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * An anomaly as stored in the tables: its rows, in the order of the tables.
 *
 * @param history the address of its history
 * @param finishedAt when its run ended
 * @param runCount number of runs that found it
 */
public record StoredAnomaly(
        LakeRow.Anomaly row,
        List<LakeRow.AnomalyTxn> txns,
        List<LakeRow.AnomalyEdge> edges,
        String history,
        String finishedAt,
        long runCount) {

    public StoredAnomaly {
        txns = List.copyOf(txns);
        edges = List.copyOf(edges);
    }

    public String id() {
        return row.id().anomalyId();
    }

    public String runId() {
        return row.id().ids().runId();
    }

    /** Returns the keys of the anomaly, keys of the arrows in their order first; empty if none is involved. */
    public List<String> keys() {
        return StoredStory.keys(row, edges);
    }

    /** Returns its meaning. */
    public String explanation() {
        return StoredStory.explanation(row, txns, edges);
    }

    /** Returns the rule that it breaks, in a sentence; null if this version does not support its type. */
    public @Nullable String rule() {
        Anomaly anomaly = Anomaly.bySpelling(row.anomalyType());
        String level = row.levelViolated();
        return anomaly == null ? null : anomaly.rule(level == null ? null : IsolationLevel.byName(level));
    }

    /** Returns the section of the documents that defines its type. */
    public String definition() {
        return AnomalyDefinition.of(row.anomalyType());
    }

    /** Returns the statement that shows its transactions in the tables. */
    public String tableQuery() {
        return "SELECT * FROM anomaly_txns WHERE anomaly_id = " + LakeViews.literal(id()) + " AND run_id = "
                + LakeViews.literal(runId()) + " ORDER BY txn_seq;";
    }

    /** Returns the statement that shows the same transactions in the history. */
    public String historyQuery() {
        StringJoiner txnIds = new StringJoiner(", ");
        txns.stream().map(txn -> Long.toString(txn.txnId())).distinct().forEach(txnIds::add);
        return "SELECT * FROM history(" + LakeViews.literal(history) + ") WHERE txn_id IN (" + txnIds + ");";
    }
}
