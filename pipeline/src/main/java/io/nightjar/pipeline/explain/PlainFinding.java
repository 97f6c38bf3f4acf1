package io.nightjar.pipeline.explain;

import io.nightjar.formats.finding.EdgeReason;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.TxnRow;
import io.nightjar.formats.finding.TxnRow.OpRow;
import io.nightjar.formats.history.SanitizedText;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A finding and its transactions as sentences show them: no key or value breaks a line. For sentences only, the
 * anomaly's id is that of the finding itself.
 */
final class PlainFinding {

    private PlainFinding() {}

    static Finding of(Finding finding) {
        Expectation read = finding.expectation();
        return new Finding(
                finding.anomaly(),
                finding.pattern(),
                finding.level(),
                finding.algorithm(),
                SanitizedText.flat(finding.key()),
                finding.participants(),
                read == null ? null : plain(read),
                finding.slack(),
                finding.dependsOnUnknown(),
                finding.edges().stream().map(PlainFinding::plain).toList());
    }

    private static Expectation plain(Expectation read) {
        return new Expectation(
                SanitizedText.flat(read.expected()),
                read.expectedWriter(),
                SanitizedText.flat(read.observed()),
                read.observedWriter(),
                read.origin());
    }

    private static Edge plain(Edge edge) {
        return new Edge(
                edge.fromTxnId(),
                edge.toTxnId(),
                edge.type(),
                SanitizedText.flat(edge.key()),
                SanitizedText.flat(edge.fromValue()),
                SanitizedText.flat(edge.toValue()),
                edge.evidence(),
                plain(edge.reason()),
                SanitizedText.flat(edge.predicate()));
    }

    private static @Nullable EdgeReason plain(@Nullable EdgeReason reason) {
        return reason == null
                ? null
                : EdgeReason.of(
                        reason.word(),
                        Arrays.asList(reason.fields().stream()
                                .map(SanitizedText::flat)
                                .toArray(String[]::new)));
    }

    /** @param row null for a transaction that cannot be shown */
    static @Nullable TxnRow of(@Nullable TxnRow row) {
        if (row == null || row.ops().stream().allMatch(op -> plain(op).equals(op))) {
            return row;
        }
        List<OpRow> ops = row.ops().stream().map(PlainFinding::plain).toList();
        return new TxnRow(
                row.txnId(),
                row.sessionId(),
                row.sessionSeq(),
                row.status(),
                row.times(),
                row.extra(),
                row.location(),
                ops);
    }

    private static OpRow plain(OpRow op) {
        return op.with(SanitizedText.flat(op.key()), SanitizedText.flat(op.value()));
    }
}
