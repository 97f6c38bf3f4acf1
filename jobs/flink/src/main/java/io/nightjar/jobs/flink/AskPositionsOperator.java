package io.nightjar.jobs.flink;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.read.HistorySummary;
import io.nightjar.pipeline.decide.TimestampOutcome;
import java.util.List;

/**
 * Requests positions of transactions if the order of commits does not prove serializability; requests that lanes be read
 * again unless the dependencies of all lanes were found while they were checked.
 */
final class AskPositionsOperator extends OutcomeOperator {

    private static final long serialVersionUID = 1;

    AskPositionsOperator(JobSpec spec) {
        super(spec, "plan");
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
