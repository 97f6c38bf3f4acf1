package io.nightjar.pipeline.explain;

import io.nightjar.formats.finding.AnomalyTitle;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.TxnRow;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.SanitizedText;
import io.nightjar.formats.level.Anomaly;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Output of a finding as the text familiar to Elle's users: Let these be the transactions, Then one comes before the
 * other, a contradiction.
 */
public final class ElleStyleText {

    private static final int MAX_OPS_SHOWN = 12;
    private static final int MAX_VALUE_CHARS = 80;
    private static final int MAX_EXTRA_CHARS = 200;

    private ElleStyleText() {}

    /**
     * @param explanation the finding in two or three sentences; null if none
     * @param txns the transactions of the finding; null for an unavailable transaction
     * @return lines, with a line end after the last
     */
    public static String text(Finding finding, @Nullable String explanation, LongFunction<@Nullable TxnRow> txns) {
        StringBuilder text = new StringBuilder();
        text.append(AnomalyTitle.of(finding));
        text.append(" ").append(finding.anomalyId()).append('\n');
        if (finding.level() != null) {
            text.append("rules out ").append(finding.level().longName()).append('\n');
        }
        if (explanation != null && StepSentences.hasSteps(finding) && finding.anomaly() != Anomaly.CYCLIC_VERSIONS) {
            text.append('\n').append(explanation.strip()).append('\n');
            return text.append(where(finding, txns)).toString();
        }
        List<Edge> edges = PictureMaker.inCycleOrder(finding.edges());
        text.append("\nLet:\n");
        for (long txnId : txnIds(finding, edges)) {
            text.append("  T")
                    .append(txnId)
                    .append(" = ")
                    .append(ops(finding, txns.apply(txnId)))
                    .append('\n');
        }
        if (!edges.isEmpty()) {
            text.append("\nThen:\n");
            appendEdges(text, edges);
        }
        if (explanation != null) {
            text.append('\n').append(explanation.strip()).append('\n');
        }
        return text.append(where(finding, txns)).toString();
    }

    /** Returns the location of each transaction in the history, so that its rows and the server's log can be found. */
    private static String where(Finding finding, LongFunction<@Nullable TxnRow> txns) {
        StringBuilder text = new StringBuilder();
        for (long txnId : txnIds(finding, List.of())) {
            TxnRow txn = txns.apply(txnId);
            if (txn == null) {
                continue;
            }
            text.append(text.isEmpty() ? "\nWhere:\n" : "").append("  T").append(txnId);
            text.append(" is session ").append(txn.sessionId()).append(" seq ").append(txn.sessionSeq());
            text.append(", ").append(txn.status());
            if (txn.startTs() != HistorySlice.NONE) {
                text.append(", start ").append(txn.startTs());
            }
            if (txn.commitTs() != HistorySlice.NONE) {
                text.append(", commit ").append(txn.commitTs());
            }
            text.append(", ").append(SanitizedText.flat(txn.location().file()));
            text.append(" row ").append(txn.location().row());
            if (txn.extra() != null) {
                text.append(", ").append(SanitizedText.flat(ListCut.cutText(txn.extra(), MAX_EXTRA_CHARS)));
            }
            text.append('\n');
        }
        return text.toString();
    }

    private static Set<Long> txnIds(Finding finding, List<Edge> edges) {
        Set<Long> txnIds = new LinkedHashSet<>();
        for (Edge edge : edges) {
            txnIds.add(edge.fromTxnId());
            txnIds.add(edge.toTxnId());
        }
        finding.participants().forEach(participant -> txnIds.add(participant.txnId()));
        return txnIds;
    }

    private static @Nullable String ops(Finding finding, @Nullable TxnRow txn) {
        if (txn == null) {
            return "a transaction whose operations are not at hand";
        }
        Set<String> keys = new HashSet<>();
        Set<String> values = new LinkedHashSet<>();
        keys.add(finding.key());
        for (Edge edge : finding.edges()) {
            if (edge.fromTxnId() == txn.txnId() || edge.toTxnId() == txn.txnId()) {
                keys.add(edge.key());
                PictureMaker.addValue(values, edge.fromValue());
                PictureMaker.addValue(values, edge.toValue());
            }
        }
        StringBuilder ops = new StringBuilder();
        int skipped = 0;
        int shown = 0;
        boolean isShort = txn.ops().size() <= MAX_OPS_SHOWN;
        for (TxnRow.OpRow op : txn.ops()) {
            if (op.leftOut() == 0 && (isShort || (keys.contains(op.key()) && shown < MAX_OPS_SHOWN))) {
                appendGap(ops, skipped);
                skipped = 0;
                shown++;
                String value = op.value() == null ? null : ListCut.cut(op.value(), values, MAX_VALUE_CHARS);
                ops.append(ops.isEmpty() ? "" : " ")
                        .append(op.with(ListCut.cutText(op.key(), MAX_VALUE_CHARS), value)
                                .text());
            } else {
                skipped += Math.max(1, op.leftOut());
            }
        }
        appendGap(ops, skipped);
        return SanitizedText.flat(ops.toString());
    }

    private static void appendGap(StringBuilder ops, int skipped) {
        if (skipped > 0) {
            ops.append(ops.isEmpty() ? "" : " ").append("…+").append(skipped);
        }
    }

    private static void appendEdges(StringBuilder text, List<Edge> edges) {
        boolean closes = isCycle(edges);
        for (int i = 0; i < edges.size(); i++) {
            Edge edge = edges.get(i);
            boolean isLast = closes && i == edges.size() - 1;
            text.append(isLast ? "  - However, T" : "  - T")
                    .append(edge.fromTxnId())
                    .append(" < T")
                    .append(edge.toTxnId())
                    .append(", because ")
                    .append(StepSentences.reason(edge))
                    .append(isLast ? ": a contradiction!\n" : ".\n");
        }
    }

    private static boolean isCycle(List<Edge> edges) {
        for (int i = 0; i < edges.size(); i++) {
            if (edges.get(i).toTxnId() != edges.get((i + 1) % edges.size()).fromTxnId()) {
                return false;
            }
        }
        return true;
    }
}
