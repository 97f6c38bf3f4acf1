package io.nightjar.jobs.flink;

import io.nightjar.formats.history.SetsFields;
import io.nightjar.pipeline.check.timestamp.DependencyBuffer;
import io.nightjar.pipeline.check.timestamp.PositionMerger;
import io.nightjar.pipeline.check.timestamp.Positions;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Determines the positions of transactions, and the segments over which dependencies go back, from the facts of all
 * lanes that were requested.
 */
final class FindSegmentsOperator extends KeyedOperator {

    private static final long serialVersionUID = 1;

    private static final int SHARE_FOR_POSITIONS = 2;

    private transient PositionMerger merger;
    private transient List<ReadingMessage> readings;

    FindSegmentsOperator(JobSpec spec) {
        super(spec, "check");
    }

    @Override
    @SetsFields
    void beginPartition() {
        merger = new PositionMerger(spec.plan.memory().taskHeapBytes() / SHARE_FOR_POSITIONS);
        readings = new ArrayList<>();
    }

    @Override
    void take(Chunk chunk) {
        if (chunk.kind == Chunk.Kind.MESSAGE) {
            readings.add((ReadingMessage) chunk.message());
            return;
        }
        if (readings.isEmpty()) {
            return; // not requested
        }
        switch (chunk.kind) {
            case MISSES -> DependencyBuffer.decodeMisses(chunk.feed(), merger);
            case DEPENDENCIES -> DependencyBuffer.decodeDependencies(chunk.feed(), merger);
            default -> merger.doubt();
        }
    }

    @Override
    void endPartition() {
        Positions positions = readings.isEmpty() ? null : merger.positions();
        if (positions == null) {
            return;
        }
        ByteWriter to = new ByteWriter(1 << 10);
        positions.encode(to);
        emit(SEGMENTS, new Chunk(Chunk.Kind.POSITIONS, 0, to), 0);
        if (positions.segmentCount() > 0) {
            expect("check-segments", positions.segmentCount());
            SegmentPlan plan = new SegmentPlan(Arrays.copyOf(to.bytes(), to.size()));
            FetchPlan.send(plan, readings, spec.parallelism, this::emit);
        }
        reportStage(0, positions.segmentCount(), 0);
    }

    @Override
    void end() {}
}
