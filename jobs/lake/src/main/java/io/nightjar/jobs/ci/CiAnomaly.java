package io.nightjar.jobs.ci;

import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.history.SanitizedText;
import io.nightjar.jobs.lake.LakeRow;
import io.nightjar.jobs.sql.StoredStory;
import io.nightjar.pipeline.explain.EdgeReasons;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An anomaly as it is reported to CI systems.
 *
 * @param isNew whether the baseline lacks its fingerprint; true without a baseline
 * @param txns as many of its transactions as are worth reporting, in the order of their parts
 * @param edges as many of its steps
 */
public record CiAnomaly(
        LakeRow.Anomaly row, boolean isNew, List<LakeRow.AnomalyTxn> txns, List<LakeRow.AnomalyEdge> edges) {

    public String id() {
        return row.id().anomalyId();
    }

    public String type() {
        return row.anomalyType();
    }

    /** Returns the long name of the level that it rules out; null if it only makes reads ambiguous. */
    public @Nullable String level() {
        return row.levelViolated();
    }

    public String fingerprint() {
        return row.fingerprint();
    }

    /** Returns the explanation line by line, sanitized because builds print it on a terminal or in a page. */
    public @Nullable String explanation() {
        return SanitizedText.lines(StoredStory.explanation(row, txns, edges));
    }

    /** Returns a step on one line. */
    public static String text(LakeRow.AnomalyEdge row) {
        Edge edge = StoredStory.edge(row);
        String reason = edge == null ? row.reason() : EdgeReasons.of(edge);
        return "T" + row.fromTxnId() + " before T" + row.toTxnId() + ": " + row.edgeType()
                + (row.objectKey() == null ? "" : " on " + row.objectKey())
                + (row.evidence() == null ? "" : ", known by " + row.evidence())
                + (reason == null ? "" : "; " + SanitizedText.flat(reason));
    }

    /** Returns the transaction of this id, or null. */
    public LakeRow.@Nullable AnomalyTxn txn(long txnId) {
        for (LakeRow.AnomalyTxn txn : txns) {
            if (txn.txnId() == txnId) {
                return txn;
            }
        }
        return null;
    }

    /**
     * Returns the first transaction that the explanation blames, or the first of all if it blames none; null if it has
     * no transactions.
     */
    public LakeRow.@Nullable AnomalyTxn atFault() {
        return txns.stream().filter(row::blames).findFirst().orElse(txns.isEmpty() ? null : txns.get(0));
    }

    /** Returns the ids of its transactions, each once. */
    public List<Long> txnIds() {
        return txns.stream().map(LakeRow.AnomalyTxn::txnId).distinct().toList();
    }

    /** Returns the name that people read, and the key. */
    public String title() {
        return row.title() + (row.objectKey() == null ? "" : " on " + row.objectKey());
    }
}
