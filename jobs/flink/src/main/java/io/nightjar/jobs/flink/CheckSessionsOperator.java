package io.nightjar.jobs.flink;

import static java.util.Objects.requireNonNull;

import io.nightjar.jobs.run.EvidenceChoice;
import io.nightjar.pipeline.check.ResultCodec;
import io.nightjar.pipeline.check.timestamp.UnorderedSessionCheck;
import io.nightjar.pipeline.decide.TimestampMerger;
import io.nightjar.pipeline.decide.TimestampOutcome;
import io.nightjar.pipeline.partition.SliceCodec;
import io.nightjar.pipeline.primitive.ByteReader;
import org.apache.flink.metrics.Counter;
import org.jspecify.annotations.Nullable;

/** Stage 5 for timestamps: checks the order of transactions in sessions whose rows arrived in another order. */
final class CheckSessionsOperator extends KeyedOperator {

    private static final long serialVersionUID = 1;

    private transient EvidenceChoice choice;
    private transient TimestampMerger merger;
    private transient SliceCodec codec;
    private transient @Nullable PromotedMessage promoted;
    private transient @Nullable UnorderedSessionCheck sessions;
    private transient long partitionCount;
    private transient Counter anomalies;

    CheckSessionsOperator(JobSpec spec) {
        super(spec, "check");
    }

    @Override
    public void open() throws Exception {
        super.open();
        choice = new EvidenceChoice(spec.options(heapBytes()));
        merger = new TimestampMerger(spec.keptFindings(), heapBytes());
        codec = new SliceCodec();
        anomalies = counter("anomalies");
    }

    @Override
    void beginPartition() {
        sessions = null;
    }

    @Override
    void take(Chunk chunk) {
        if (chunk.kind == Chunk.Kind.MESSAGE) {
            promoted = (PromotedMessage) chunk.message();
            return;
        }
        if (sessions == null) {
            sessions = new UnorderedSessionCheck(
                    choice.axioms(),
                    spec.keptFindings(),
                    requireNonNull(promoted).unknown());
        }
        ByteReader feed = chunk.feed();
        while (!feed.isEmpty()) {
            sessions.observe(codec.decode(feed));
        }
    }

    @Override
    void endPartition() {
        if (sessions != null) {
            TimestampOutcome outcome = TimestampOutcome.ofSessions(sessions);
            merger.add(outcome);
            anomalies.inc(outcome.findings().total());
            partitionCount++;
            advance(1);
        }
    }

    @Override
    void end() {
        if (partitionCount > 0) {
            TimestampOutcome ofTask = merger.merged();
            emit(OUTCOMES, new Chunk(Chunk.Kind.TIMESTAMP_OUTCOME, 0, ResultCodec.bytes(ofTask)), 0);
            reportStage(partitionCount, ofTask.findings().total(), 0);
        }
    }
}
