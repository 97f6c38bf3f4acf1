package io.nightjar.jobs.flink;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.read.HistorySummary;
import io.nightjar.pipeline.decide.TimestampOutcome;
import java.util.List;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Requests positions of transactions if the order of commits does not prove serializability; requests that lanes be read
 * again unless the dependencies of all lanes were found while they were checked.
 */
final class AskPositionsOperator extends StageOperator
        implements OneInputStreamOperator<Chunk, Chunk>, BoundedOneInput {

    private static final long serialVersionUID = 1;

    private transient JobOutcome outcome;

    AskPositionsOperator(JobSpec spec) {
        super(spec, "plan");
    }

    @Override
    public void open() throws Exception {
        super.open();
        outcome = new JobOutcome(spec);
    }

    @Override
    public void processElement(StreamRecord<Chunk> element) {
        outcome.add(element.getValue());
    }

    @Override
    public void endInput() {
        PlanMessage plan = outcome.plan();
        HistorySummary summary = plan.summary();
        TimestampOutcome timestamps = summary == null ? null : outcome.timestamps();
        if (summary == null
                || timestamps == null
                || !plan.startsAfterPrevious()
                || summary.unknownCount() > 0
                || timestamps.isProved(IsolationLevel.COMMIT_ORDER_SERIALIZABLE)) {
            return;
        }
        List<ReadingMessage> readings = outcome.readings();
        boolean isKnown = outcome.areLanesPlaced();
        if (!isKnown) {
            FetchPlan.send(new PlacePlan(), readings, spec.parallelism, this::emit);
        }
        for (ReadingMessage reading : readings) {
            int key = isKnown ? DependencySender.OF_CHECKED_LANES : DependencySender.OF_LANES_READ_AGAIN;
            emit(SEGMENTS, Chunk.of(key, reading), FIRST);
        }
    }
}
