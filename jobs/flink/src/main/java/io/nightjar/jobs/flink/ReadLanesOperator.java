package io.nightjar.jobs.flink;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.jobs.run.EvidenceChoice;
import java.io.IOException;
import java.io.Serializable;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads splits again, and sends their operations by lane. */
final class ReadLanesOperator extends RereadOperator {

    private static final long serialVersionUID = 1;

    private static final double SHARE_FOR_LANES = 0.2;

    private transient @Nullable LaneSender lanes;
    private transient long currentOrder;

    ReadLanesOperator(JobSpec spec) {
        super(spec, "read");
    }

    @Override
    void begin(Serializable plan) throws IOException {
        int[] keys = TaskKeys.inTurn(spec.plan.laneCount(), spec.parallelism);
        long forBuffers = (long) (heapBytes() * SHARE_FOR_LANES);
        lanes = new LaneSender(keys, initialValue(), forBuffers, chunk -> emit(chunk, currentOrder));
    }

    @Override
    Set<ColumnGroup> columns() {
        return EvidenceChoice.TIMESTAMP_COLUMNS;
    }

    @Override
    int send(HistorySlice slice, long order) {
        currentOrder = order;
        requireNonNull(lanes).send(slice);
        return slice.txnCount;
    }

    @Override
    void endSplit() {
        requireNonNull(lanes).finish();
    }
}
