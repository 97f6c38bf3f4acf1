package io.nightjar.jobs.flink;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.file.ChangedInputException;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.SetsFields;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.SplitDigest;
import io.nightjar.pipeline.partition.SliceForm;
import io.nightjar.pipeline.primitive.Mix;
import java.io.IOException;
import java.util.List;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * Stage 4, the second reading, of files or of cached slices: receives ordinals of splits, and routes transactions to
 * the bins of their sessions or to the check of session order, or operations to lanes, by a plan that arrives first.
 */
final class RouteOperator extends StageOperator implements OneInputStreamOperator<Chunk, Chunk>, BoundedOneInput {

    private static final long serialVersionUID = 1;

    private static final int SEND_AT = 1 << 18;
    private static final double SHARE_FOR_LANES = 0.2;

    private transient RoutingPlan plan;
    private transient SliceCache kept;
    private transient @Nullable LaneSender lanes;
    private transient @Nullable SlicePartitioner bins;
    private transient @Nullable SlicePartitioner sessions;
    private transient long txnsRead;
    private transient long bytesRead;
    private transient long order;

    RouteOperator(JobSpec spec) {
        super(spec, "split");
    }

    @Override
    public void open() throws Exception {
        super.open();
        kept = keptSlices();
    }

    @Override
    public void processElement(StreamRecord<Chunk> element) throws IOException {
        Object message = element.getValue().message();
        if (message instanceof RoutingPlan given) {
            begin(given);
        } else if (message instanceof ReadingMessage asRead) {
            read(asRead);
        }
    }

    @SetsFields
    private void begin(RoutingPlan given) throws IOException {
        plan = given;
        if (plan.bins() != null) {
            bins = partitioner(BINS, plan.bins().binCount(), SliceForm.ALL);
        }
        if (plan.checksSessions()) {
            sessions = partitioner(SESSIONS, spec.sessionClasses(), SliceForm.HEADS);
        }
        if (plan.resolvesUnknown()) {
            int[] keys = TaskKeys.inTurn(spec.plan.laneCount(), spec.parallelism);
            long forBuffers = (long) (heapBytes() * SHARE_FOR_LANES);
            lanes = new LaneSender(keys, initialValue(), forBuffers, chunk -> emit(LANES, chunk, order));
        }
    }

    private SlicePartitioner partitioner(OutputTag<Chunk> to, int partitions, SliceForm form) {
        int[] keys = TaskKeys.inTurn(partitions, spec.parallelism);
        return new SlicePartitioner(Chunk.Kind.SLICE, keys, form, SEND_AT, (chunk, at) -> emit(to, chunk, at));
    }

    private void read(ReadingMessage asRead) throws IOException {
        int split = asRead.split();
        order = (long) split << SLICE_BITS;
        List<HistorySlice> slices = kept.take(split);
        if (slices == null) {
            try {
                readFile(split, asRead.reading());
            } catch (ChangedInputException changed) {
                throw new SuppressRestartsException(changed); // other tasks have read the previous content
            }
        } else {
            for (HistorySlice slice : slices) {
                send(slice.withOnly(plan.columns()));
                order++;
            }
        }
        if (bins != null) {
            bins.flush();
        }
        if (sessions != null) {
            sessions.flush();
        }
    }

    private void readFile(int split, @Nullable SplitDigest first) throws IOException {
        if (first != null) {
            source().expect(split, first);
        }
        try (SliceReader reader = source().open(split, plan.columns(), BadRowHandler.PASS_OVER)) {
            for (HistorySlice slice = reader.next(); slice != null; slice = reader.next()) {
                send(slice);
                order++;
            }
        }
        bytesRead += source().splits().get(split).byteCount();
    }

    private void send(HistorySlice slice) {
        txnsRead += slice.txnCount;
        advance(slice.txnCount);
        if (bins != null) {
            for (int txn = 0; txn < slice.txnCount; txn++) {
                bins.add(requireNonNull(plan.bins()).binOf(slice.sessionId[txn]), txn);
            }
            bins.encode(slice, order);
        }
        if (sessions != null) {
            for (int txn = 0; txn < slice.txnCount; txn++) {
                sessions.add((int) Math.floorMod(Mix.hash(slice.sessionId[txn]), (long) spec.sessionClasses()), txn);
            }
            sessions.encode(slice, order);
        }
        if (lanes != null) {
            lanes.send(slice);
        }
    }

    @Override
    public void endInput() {
        if (lanes != null) {
            lanes.finish();
        }
        if (txnsRead > 0) {
            reportStage(txnsRead, txnsRead, bytesRead);
        }
    }
}
