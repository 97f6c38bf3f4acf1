package io.nightjar.jobs.flink;

import io.nightjar.jobs.read.HistorySummary;
import io.nightjar.pipeline.primitive.ByteFeed;
import io.nightjar.pipeline.primitive.ByteSink;
import io.nightjar.pipeline.primitive.TextFeed;
import io.nightjar.pipeline.primitive.TextSink;

/**
 * What validation found out, for the stations that wait for it.
 *
 * @param rejection why this is no history; null if it is one
 * @param misuse why it cannot be checked as asked; null if it can
 * @param summary null if the history is rejected
 * @param badRows those that were set aside
 * @param decidesByTimestamps whether lanes are to be checked
 * @param resolvesUnknown whether it must be found out which unknown transactions were read from
 */
record PlanMessage(
        String rejection,
        String misuse,
        HistorySummary summary,
        BadRowsMessage badRows,
        boolean decidesByTimestamps,
        boolean resolvesUnknown) {

    ByteSink encode() {
        ByteSink to = new ByteSink(1 << 10);
        TextSink texts = new TextSink(to);
        texts.put(rejection);
        texts.put(misuse);
        to.putByte(summary == null ? 0 : 1);
        if (summary != null) {
            SummaryCodec.encode(summary, to);
        }
        ByteSink rows = badRows.encode();
        to.putBytes(rows.bytes(), 0, rows.size());
        to.putByte(decidesByTimestamps ? 1 : 0);
        to.putByte(resolvesUnknown ? 1 : 0);
        return to;
    }

    static PlanMessage decode(ByteFeed from) {
        TextFeed texts = new TextFeed(from);
        return new PlanMessage(
                texts.get(),
                texts.get(),
                from.getByte() == 1 ? SummaryCodec.decode(from) : null,
                BadRowsMessage.decode(from),
                from.getByte() == 1,
                from.getByte() == 1);
    }
}
