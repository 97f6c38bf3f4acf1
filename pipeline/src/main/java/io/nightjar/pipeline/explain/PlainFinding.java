package io.nightjar.pipeline.explain;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.finding.Reason;
import io.nightjar.formats.finding.TxnRow;
import io.nightjar.formats.finding.TxnRow.OpRow;
import io.nightjar.formats.history.PlainText;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A finding and its transactions as sentences show them: no key or value breaks a line. For sentences only, the anomaly's id
 * is that of the finding itself.
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
                PlainText.flat(finding.key()),
                finding.participants(),
                read == null ? null : plain(read),
                finding.slack(),
                finding.dependsOnUnknown(),
                finding.edges().stream().map(PlainFinding::plain).toList());
    }

    private static Expectation plain(Expectation read) {
        return new Expectation(
                PlainText.flat(read.expected()),
                read.expectedWriter(),
                PlainText.flat(read.observed()),
                read.observedWriter(),
                read.origin());
    }

    private static Edge plain(Edge edge) {
        return new Edge(
                edge.fromTxnId(),
                edge.toTxnId(),
                edge.type(),
                PlainText.flat(edge.key()),
                PlainText.flat(edge.fromValue()),
                PlainText.flat(edge.toValue()),
                edge.evidence(),
                plain(edge.reason()),
                PlainText.flat(edge.predicate()));
    }

    private static @Nullable Reason plain(@Nullable Reason reason) {
        return reason == null
                ? null
                : Reason.of(
                        reason.word(),
                        Arrays.asList(
                                reason.parts().stream().map(PlainText::flat).toArray(String[]::new)));
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
                row.place(),
                ops);
    }

    private static OpRow plain(OpRow op) {
        return op.with(PlainText.flat(op.key()), PlainText.flat(op.value()));
    }
}
