package io.nightjar.jobs.flink;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.check.SpilledLane;
import io.nightjar.jobs.run.EvidenceChoice;
import io.nightjar.pipeline.check.timestamp.Lane;
import io.nightjar.pipeline.check.timestamp.OutcomeEvidence;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Stage 3 for timestamps: searches each lane for reads of values that only unknown transactions wrote. */
final class InferOutcomesOperator extends KeyedOperator {

    private static final long serialVersionUID = 1;

    private transient OutcomeEvidence unknown;
    private transient Set<IsolationLevel> levels;
    private transient boolean isUnfit;
    private transient @Nullable SpilledLane lane;
    private transient long laneCount;
    private transient long maxBytes;

    InferOutcomesOperator(JobSpec spec) {
        super(spec, "infer");
    }

    @Override
    public void open() throws Exception {
        super.open();
        maxBytes = heapBytes();
        unknown = new OutcomeEvidence(initialValue());
        levels = new EvidenceChoice(spec.options(maxBytes)).axioms().keySet();
    }

    @Override
    void beginPartition() {
        lane = SpilledLane.ofTask(spillFolders(), maxBytes);
        laneCount++;
    }

    @Override
    void take(Chunk chunk) {
        requireNonNull(lane).add(chunk.bytes, chunk.length);
    }

    @Override
    void endPartition() throws IOException {
        SpilledLane lane = requireNonNull(this.lane);
        spilled(lane.bytesSpilled());
        isUnfit |= !lane.forEachRange(maxBytes, this::observe).isEmpty();
        lane.close();
        this.lane = null;
        advance(1);
    }

    private void observe(Lane range) {
        unknown.observe(range);
        unknown.observePositions(range, levels);
    }

    @Override
    void end() {
        if (laneCount > 0) {
            ByteWriter bytes = new ByteWriter(1 << 10);
            bytes.putByte(isUnfit ? 1 : 0);
            unknown.encode(bytes);
            emit(new Chunk(Chunk.Kind.UNKNOWN_READS, 0, bytes));
            reportStage(laneCount, laneCount, 0);
        }
    }

    @Override
    public void close() throws Exception {
        if (lane != null) {
            lane.close();
        }
        super.close();
    }
}
