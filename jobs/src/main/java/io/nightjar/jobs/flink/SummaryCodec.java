package io.nightjar.jobs.flink;

import io.nightjar.formats.history.ValueType;
import io.nightjar.jobs.read.HistorySummary;
import io.nightjar.pipeline.primitive.ByteFeed;
import io.nightjar.pipeline.primitive.ByteSink;
import io.nightjar.pipeline.primitive.TextFeed;
import io.nightjar.pipeline.primitive.TextSink;
import io.nightjar.pipeline.validate.LintFinding;
import io.nightjar.pipeline.validate.LintRule;
import io.nightjar.pipeline.validate.LintSeverity;
import java.util.ArrayList;
import java.util.List;

/** A {@link HistorySummary} as bytes. */
final class SummaryCodec {

    private SummaryCodec() {}

    static void encode(HistorySummary summary, ByteSink to) {
        to.putVarint(summary.txnCount());
        to.putVarint(summary.opCount());
        to.putVarint(summary.committedCount());
        to.putVarint(summary.unknownCount());
        to.putVarint(summary.timestampedCount());
        to.putVarint(summary.sessionCount());
        to.putByte(summary.keyType().ordinal());
        to.putByte(summary.valueType().ordinal());
        to.putVarint(summary.lint().size());
        TextSink texts = new TextSink(to);
        for (LintFinding finding : summary.lint()) {
            to.putByte(finding.rule().ordinal());
            to.putByte(finding.severity().ordinal());
            to.putVarint(finding.count());
            texts.put(finding.example());
            texts.put(finding.message());
        }
    }

    static HistorySummary decode(ByteFeed from) {
        return new HistorySummary(
                from.getVarint(),
                from.getVarint(),
                from.getVarint(),
                from.getVarint(),
                from.getVarint(),
                from.getVarint(),
                ValueType.values()[from.getByte()],
                ValueType.values()[from.getByte()],
                lint(from));
    }

    private static List<LintFinding> lint(ByteFeed from) {
        int count = from.getCount();
        List<LintFinding> findings = new ArrayList<>(count);
        TextFeed texts = new TextFeed(from);
        for (int i = 0; i < count; i++) {
            findings.add(new LintFinding(
                    LintRule.values()[from.getByte()],
                    LintSeverity.values()[from.getByte()],
                    from.getVarint(),
                    texts.get(),
                    texts.get()));
        }
        return findings;
    }
}
