package io.nightjar.jobs.ci;

import java.util.List;

/**
 * An anomaly as other machines are told of it.
 *
 * @param level the long name; null if the anomaly only makes reads ambiguous
 * @param isNew whether the baseline lacks its fingerprint; true where there is no baseline
 * @param txns as many of its transactions as are worth telling, the one at fault first
 * @param edges as many of its steps
 */
public record CiAnomaly(
        String id,
        String type,
        String pattern,
        String level,
        String key,
        String fingerprint,
        String explanation,
        boolean isNew,
        List<Txn> txns,
        List<Edge> edges) {

    /**
     * A transaction's part.
     *
     * @param file null where it is not known
     * @param row counted from 1; 0 where it is not known
     */
    public record Txn(long txnId, String role, String file, long row) {}

    /** One transaction comes before another. */
    public record Edge(long from, long to, String type, String key, String evidence, String reason) {

        /** The step on one line. */
        public String text() {
            return "T" + from + " before T" + to + ": " + type + (key == null ? "" : " on " + key)
                    + (evidence == null ? "" : ", known by " + evidence) + (reason == null ? "" : "; " + reason);
        }
    }

    /** The transaction of this id, or null. */
    public Txn txn(long txnId) {
        for (Txn txn : txns) {
            if (txn.txnId() == txnId) {
                return txn;
            }
        }
        return null;
    }

    /** The ids of its transactions, each once. */
    public List<Long> txnIds() {
        return txns.stream().map(Txn::txnId).distinct().toList();
    }

    /** Its type, with the classic name if it has one, and its key. */
    public String title() {
        return type + (pattern == null ? "" : " (" + pattern + ")") + (key == null ? "" : " on " + key);
    }
}
