package io.nightjar.jobs.flink;

import static java.util.Objects.requireNonNull;

import io.nightjar.jobs.check.SpilledLane;
import io.nightjar.pipeline.check.timestamp.LaneSize.PlannedRange;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the contribution of each lane to the positions of transactions. */
final class FindDependenciesOperator extends KeyedOperator {

    private static final long serialVersionUID = 1;

    private transient @Nullable SpilledLane lane;
    private transient DependencySender dependencies;
    private transient long lanesDone;

    FindDependenciesOperator(JobSpec spec) {
        super(spec, "check");
    }

    @Override
    public void open() throws Exception {
        super.open();
        dependencies = new DependencySender(DependencySender.OF_LANES_READ_AGAIN, this::emit);
    }

    @Override
    void beginPartition() {
        lane = SpilledLane.ofTask(spillFolders(), heapBytes());
    }

    @Override
    void take(Chunk chunk) {
        if (!dependencies.isInDoubt()) {
            requireNonNull(lane).add(chunk.bytes, chunk.length);
        }
    }

    @Override
    void endPartition() throws IOException {
        SpilledLane taken = requireNonNull(lane);
        if (!dependencies.isInDoubt()) {
            spilled(taken.bytesSpilled());
            List<PlannedRange> unfit =
                    taken.forEachRange(heapBytes() / 3 * 2, range -> dependencies.find(range, initialValue()));
            if (!unfit.isEmpty()) {
                dependencies.doubt();
            }
        }
        taken.close();
        lane = null;
        lanesDone++;
        advance(1);
    }

    @Override
    void end() {
        dependencies.finish();
        reportStage(lanesDone, 0, 0);
    }

    @Override
    public void close() throws Exception {
        if (lane != null) {
            lane.close();
        }
        super.close();
    }
}
