package io.nightjar.jobs.flink;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.jobs.check.TimestampCheck;
import io.nightjar.jobs.read.ValidatingScanner;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.EvidenceChoice;
import io.nightjar.jobs.run.ProgressListener;
import io.nightjar.jobs.run.StageMetrics;
import io.nightjar.pipeline.check.timestamp.Positions;
import io.nightjar.pipeline.decide.TimestampOutcome;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;

/** Finds the positions of transactions and the segments over which dependencies go back, if rows are in commit order. */
final class FindSegmentsOperator extends WholeHistoryOperator {

    private static final long serialVersionUID = 1;

    FindSegmentsOperator(JobSpec spec) {
        super(spec, "read");
    }

    @Override
    void decide(
            ValidatingScanner rows,
            TimestampOutcome timestamps,
            boolean isProved,
            CheckOptions options,
            StageMetrics stages)
            throws IOException {
        try (TimestampCheck sweep =
                new TimestampCheck(rows, Map.of(), initialValue(), options, 0, stages, ProgressListener.NONE)) {
            if (sweep.readWithPositions(EvidenceChoice.TIMESTAMP_COLUMNS, BadRowHandler.PASS_OVER)) {
                send(requireNonNull(sweep.positions()));
            }
        }
    }

    private void send(Positions positions) {
        ByteWriter to = new ByteWriter(1 << 10);
        positions.encode(to);
        emit(SEGMENTS, new Chunk(Chunk.Kind.POSITIONS, 0, to), 0);
        if (positions.segmentCount() > 0) {
            expect("check-segments", positions.segmentCount());
            SegmentPlan plan = new SegmentPlan(Arrays.copyOf(to.bytes(), to.size()));
            FetchPlan.send(plan, outcome.readings(), spec.parallelism, this::emit);
        }
    }
}
