package io.nightjar.jobs.flink;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.file.ChangedInputException;
import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.Reading;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.pipeline.primitive.ByteSink;
import io.nightjar.pipeline.primitive.Mix;
import io.nightjar.pipeline.split.SliceCodec;
import io.nightjar.pipeline.split.SliceForm;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * Station 4, the second reading, of files or of what the first one kept: takes ordinals of splits, and sends transactions
 * to the bins of their sessions, to the check of session order, or operations to lanes, as the plan says that came first.
 */
@SuppressWarnings("NullAway.Init") // the plan comes first
final class RereadOperator extends Station implements OneInputStreamOperator<Chunk, Chunk>, BoundedOneInput {

    private static final long serialVersionUID = 1;

    private static final int SEND_AT = 1 << 18;
    private static final double SHARE_FOR_LANES = 0.2;

    private transient RereadPlan plan;
    private transient SliceCodec codec;
    private transient KeptSlices kept;
    private transient @Nullable LaneSender lanes;
    private transient @Nullable Parts bins;
    private transient @Nullable Parts sessions;
    private transient long txnsRead;
    private transient long bytesRead;
    private transient long order;

    RereadOperator(JobSpec spec) {
        super(spec, "split");
    }

    @Override
    public void open() throws Exception {
        super.open();
        codec = new SliceCodec();
        kept = keptSlices();
    }

    @Override
    public void processElement(StreamRecord<Chunk> element) throws IOException {
        Object message = element.getValue().message();
        if (message instanceof RereadPlan given) {
            begin(given);
        } else if (message instanceof ReadingMessage asRead) {
            read(asRead);
        }
    }

    private void begin(RereadPlan given) throws IOException {
        plan = given;
        if (plan.bins() != null) {
            bins = new Parts(BINS, TaskKeys.inTurn(plan.bins().binCount(), spec.parallelism), SliceForm.ALL);
        }
        if (plan.checksSessions()) {
            int[] keys = TaskKeys.inTurn(spec.sessionClasses(), spec.parallelism);
            sessions = new Parts(SESSIONS, keys, SliceForm.HEADS);
        }
        if (plan.resolvesUnknown()) {
            int[] keys = TaskKeys.inTurn(spec.laneCount, spec.parallelism);
            long forBuffers = (long) (heapBytes() * SHARE_FOR_LANES);
            lanes = new LaneSender(keys, initialValue(), forBuffers, chunk -> emit(LANES, chunk, order));
        }
    }

    private void read(ReadingMessage asRead) throws IOException {
        int split = asRead.split();
        order = (long) split << SLICE_BITS;
        List<HistorySlice> slices = kept.take(split);
        if (slices == null) {
            try {
                readFile(split, asRead.reading());
            } catch (ChangedInputException changed) {
                throw new SuppressRestartsException(changed); // others have read what was there before
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

    private void readFile(int split, @Nullable Reading first) throws IOException {
        if (first != null) {
            source().expect(split, first);
        }
        try (SliceReader reader = source().open(split, plan.columns(), BadRows.PASS_OVER)) {
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
            bins.encode(slice);
        }
        if (sessions != null) {
            for (int txn = 0; txn < slice.txnCount; txn++) {
                sessions.add((int) Math.floorMod(Mix.hash(slice.sessionId[txn]), (long) spec.sessionClasses()), txn);
            }
            sessions.encode(slice);
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
            tellStage(txnsRead, txnsRead, bytesRead);
        }
    }

    /** Transactions of a slice dealt out to parts, and what of each part waits to be sent. */
    private final class Parts {

        private final OutputTag<Chunk> to;
        private final int[] keyOf;
        private final SliceForm form;
        private final int[][] txnsOf;
        private final int[] countOf;
        private final ByteSink[] buffers;
        private final long[] firstOrderOf;

        Parts(OutputTag<Chunk> to, int[] keyOf, SliceForm form) {
            this.to = to;
            this.keyOf = keyOf;
            this.form = form;
            this.txnsOf = new int[keyOf.length][64];
            this.countOf = new int[keyOf.length];
            this.buffers = new ByteSink[keyOf.length];
            this.firstOrderOf = new long[keyOf.length];
            for (int part = 0; part < buffers.length; part++) {
                buffers[part] = new ByteSink(1 << 10);
            }
        }

        void add(int part, int txn) {
            int count = countOf[part]++;
            if (count == txnsOf[part].length) {
                txnsOf[part] = Arrays.copyOf(txnsOf[part], count * 2);
            }
            txnsOf[part][count] = txn;
        }

        void encode(HistorySlice slice) {
            for (int part = 0; part < keyOf.length; part++) {
                if (countOf[part] == 0) {
                    continue;
                }
                if (buffers[part].size() == 0) {
                    firstOrderOf[part] = order;
                }
                codec.encode(slice, txnsOf[part], countOf[part], form, buffers[part]);
                countOf[part] = 0;
                if (buffers[part].size() >= SEND_AT) {
                    send(part);
                }
            }
        }

        void flush() {
            for (int part = 0; part < keyOf.length; part++) {
                if (buffers[part].size() > 0) {
                    send(part);
                }
            }
        }

        private void send(int part) {
            emit(to, new Chunk(Chunk.Kind.SLICE, keyOf[part], buffers[part]), firstOrderOf[part]);
            buffers[part].clear();
        }
    }
}
