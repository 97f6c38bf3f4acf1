package io.nightjar.jobs.flink;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.file.ChangedInputException;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.pipeline.partition.SliceCodec;
import io.nightjar.pipeline.partition.SliceForm;
import io.nightjar.pipeline.primitive.ByteWriter;
import io.nightjar.pipeline.verify.ReplayRowFilter;
import java.io.IOException;
import java.util.Set;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;

/**
 * Stage 6: reads splits again and sends the few rows needed to replay findings, according to a plan that arrives first.
 */
final class FetchRowsOperator extends StageOperator implements OneInputStreamOperator<Chunk, Chunk>, BoundedOneInput {

    private static final long serialVersionUID = 1;

    /** The word of stage 6. */
    static final String WORD = "explain";

    private static final int SEND_AT = 1 << 18;

    private transient @Nullable ReplayRowFilter sieve;
    private transient @Nullable Set<ColumnGroup> columns;
    private transient SliceCodec codec;
    private transient ByteWriter buffer;
    private transient long firstOrder; // order of the first row in the buffer
    private transient long txnsRead;
    private transient long txnsSent;
    private transient long bytesRead;

    FetchRowsOperator(JobSpec spec) {
        super(spec, WORD);
    }

    @Override
    public void open() throws Exception {
        super.open();
        codec = new SliceCodec();
        buffer = new ByteWriter(1 << 10);
    }

    @Override
    public void processElement(StreamRecord<Chunk> element) throws IOException {
        Object message = element.getValue().message();
        if (message instanceof FetchPlan plan) {
            sieve = plan.newSieve();
            columns = plan.columns();
            return;
        }
        try {
            read((ReadingMessage) message);
        } catch (ChangedInputException changed) {
            throw new SuppressRestartsException(changed); // other tasks have read the previous content
        }
    }

    private void read(ReadingMessage asRead) throws IOException {
        int split = asRead.split();
        if (asRead.reading() != null) {
            source().expect(split, asRead.reading());
        }
        long order = (long) split << SLICE_BITS;
        try (SliceReader reader = source().open(split, requireNonNull(columns), BadRowHandler.PASS_OVER)) {
            for (HistorySlice slice = reader.next(); slice != null; slice = reader.next()) {
                HistorySlice kept = requireNonNull(sieve).keep(slice);
                if (kept != null) {
                    add(kept, order);
                }
                txnsRead += slice.txnCount;
                advance(slice.txnCount);
                order++;
            }
        }
        flush();
        bytesRead += source().splits().get(split).byteCount();
    }

    private void add(HistorySlice kept, long order) {
        if (buffer.size() == 0) {
            firstOrder = order;
        }
        codec.encode(kept, SliceForm.ALL, buffer);
        txnsSent += kept.txnCount;
        if (buffer.size() >= SEND_AT) {
            flush();
        }
    }

    private void flush() {
        if (buffer.size() > 0) {
            emit(new Chunk(Chunk.Kind.SLICE, 0, buffer), firstOrder);
            buffer.clear();
        }
    }

    @Override
    public void endInput() {
        if (txnsRead > 0) {
            reportStage(txnsRead, txnsSent, bytesRead);
        }
    }
}
