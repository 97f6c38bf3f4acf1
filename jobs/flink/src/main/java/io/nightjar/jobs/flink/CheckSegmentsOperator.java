package io.nightjar.jobs.flink;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.jobs.check.SegmentCheck;
import io.nightjar.jobs.check.ValueCheck;
import io.nightjar.pipeline.check.Budget;
import io.nightjar.pipeline.infer.OperationLogBuilder;
import io.nightjar.pipeline.partition.SliceCodec;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Decides segments of a history, one after another, and reports the segments with cycles. */
final class CheckSegmentsOperator extends KeyedOperator {

    private static final long serialVersionUID = 1;

    private transient SliceCodec codec;
    private transient Budget budget;
    private transient ByteWriter open; // segments
    private transient @Nullable OperationLogBuilder segment; // null once it does not fit into memory
    private transient int segmentKey;
    private transient long txns;
    private transient long ops;
    private transient long segments;
    private transient boolean isUnfit;

    CheckSegmentsOperator(JobSpec spec) {
        super(spec, "check");
    }

    @Override
    public void open() throws Exception {
        super.open();
        codec = new SliceCodec();
        budget = spec.budget();
        open = new ByteWriter(1 << 10);
    }

    @Override
    void beginPartition() throws IOException {
        segment = isUnfit ? null : new OperationLogBuilder(initialValue());
        txns = 0;
        ops = 0;
    }

    @Override
    void take(Chunk chunk) {
        segmentKey = chunk.key;
        OperationLogBuilder begun = segment;
        if (begun == null) {
            return;
        }
        HistorySlice slice = codec.decode(chunk.feed());
        txns += slice.txnCount;
        ops += slice.opCount;
        begun.add(slice);
        if (!TaskHeap.fits(ValueCheck.bytesToHold(txns, ops), spec.plan.memory().taskHeapBytes())) {
            segment = null;
            isUnfit = true; // then the others decide nothing
        }
    }

    @Override
    void endPartition() {
        if (segment != null && !SegmentCheck.isSerializable(segment, budget)) {
            open.putVarint(segmentKey);
        }
        segment = null;
        segments++;
        advance(1);
    }

    @Override
    void end() {
        ByteWriter result = new ByteWriter(open.size() + 1);
        result.putByte(isUnfit ? 1 : 0);
        result.putBytes(open.bytes(), 0, open.size());
        emit(SEGMENTS, new Chunk(Chunk.Kind.OPEN_SEGMENTS, 0, result), 0);
        reportStage(segments, 0, 0);
    }
}
