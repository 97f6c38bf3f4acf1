package io.nightjar.pipeline.explain;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Edge;
import io.nightjar.formats.level.IsolationLevel;

/** Explanation of a finding about tables: each step names the predicate, the row and its versions. */
final class TableSentences {

    private TableSentences() {}

    static String explain(Finding finding) {
        IsolationLevel level = requireNonNull(finding.level());
        StringBuilder text = new StringBuilder();
        for (Edge edge : finding.edges()) {
            text.append(text.isEmpty() ? "" : "; ").append(EdgeReasons.of(edge));
        }
        if (finding.expectation() == null && finding.edges().size() > 1) {
            text.append(": a cycle, but " + level.longName() + " means that "
                    + finding.anomaly().rule(level));
        } else {
            text.append("; ").append(finding.anomaly().rule(level));
        }
        return text.toString();
    }
}
