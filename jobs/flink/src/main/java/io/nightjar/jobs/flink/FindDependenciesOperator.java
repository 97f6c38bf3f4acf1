package io.nightjar.jobs.flink;

import static java.util.Objects.requireNonNull;

import io.nightjar.jobs.check.SpilledLane;
import io.nightjar.pipeline.check.timestamp.Lane;
import io.nightjar.pipeline.check.timestamp.LaneDependencies;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Finds the contribution of each lane to the positions of transactions. */
final class FindDependenciesOperator extends KeyedOperator {

    private static final long serialVersionUID = 1;

    private transient @Nullable SpilledLane lane;
    private transient DependencyBuffer buffer;
    private transient long lanesDone;
    private transient boolean isInDoubt;

    FindDependenciesOperator(JobSpec spec) {
        super(spec, "check");
    }

    @Override
    public void open() throws Exception {
        super.open();
        buffer = new DependencyBuffer(DependencyBuffer.OF_LANES_READ_AGAIN, this::emit);
    }

    @Override
    void beginPartition() {
        lane = SpilledLane.ofTask(spillFolders(), heapBytes());
    }

    @Override
    void take(Chunk chunk) {
        if (!isInDoubt) {
            requireNonNull(lane).add(chunk.bytes, chunk.length);
        }
    }

    @Override
    void endPartition() throws IOException {
        SpilledLane taken = requireNonNull(lane);
        if (!isInDoubt) {
            spilled(taken.bytesSpilled());
            isInDoubt = !taken.forEachRange(heapBytes(), this::find).isEmpty() || isInDoubt;
        }
        taken.close();
        lane = null;
        lanesDone++;
        advance(1);
    }

    private void find(Lane range) throws IOException {
        isInDoubt |= !LaneDependencies.find(range, initialValue(), buffer);
    }

    @Override
    void end() {
        if (isInDoubt) {
            buffer.doubt();
        } else {
            buffer.flush();
        }
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
