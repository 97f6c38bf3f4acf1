package io.nightjar.pipeline.explain;

import io.nightjar.formats.finding.AnomalyTitle;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.TxnRow;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.SanitizedText;
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

    private static final int MAX_EXTRA_CHARS = 200;

    private ElleStyleText() {}

    /**
     * @param explanation the finding in sentences, which of a cycle have this form already
     * @param txns the transactions of the finding; null for an unavailable transaction
     * @return lines, with a line end after the last
     */
    public static String text(Finding finding, String explanation, LongFunction<@Nullable TxnRow> txns) {
        StringBuilder text = new StringBuilder(AnomalyTitle.of(finding) + " " + finding.anomalyId() + "\n");
        if (finding.level() != null) {
            text.append("rules out " + finding.level().longName() + "\n");
        }
        text.append('\n');
        if (!explanation.startsWith(StepSentences.LET)) {
            text.append(StepSentences.LET);
            for (long txnId : txnIds(finding)) {
                text.append("  T" + txnId + " = " + ops(finding, txns.apply(txnId)) + "\n");
            }
            List<String> steps = StepSentences.of(finding);
            text.append(steps.isEmpty() ? "" : StepSentences.THEN);
            steps.forEach(step -> text.append("  - " + step + "\n"));
            text.append('\n');
        }
        return text.append(explanation.strip())
                .append('\n')
                .append(where(finding, txns))
                .toString();
    }

    /** Returns the location of each transaction in the history, so that its rows and the server's log can be found. */
    private static String where(Finding finding, LongFunction<@Nullable TxnRow> txns) {
        StringBuilder text = new StringBuilder();
        for (long txnId : txnIds(finding)) {
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

    private static Set<Long> txnIds(Finding finding) {
        Set<Long> txnIds = new LinkedHashSet<>();
        for (Edge edge : finding.edges()) {
            txnIds.add(edge.fromTxnId());
            txnIds.add(edge.toTxnId());
        }
        finding.participants().forEach(participant -> txnIds.add(participant.txnId()));
        return txnIds;
    }

    private static String ops(Finding finding, @Nullable TxnRow txn) {
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
        return SanitizedText.flat(OpsCut.of(txn.ops(), keys, values));
    }
}
