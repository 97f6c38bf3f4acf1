package io.nightjar.jobs.flink;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.pipeline.partition.SliceCodec;
import io.nightjar.pipeline.partition.SliceForm;
import io.nightjar.pipeline.primitive.ByteWriter;
import io.nightjar.pipeline.verify.ReplayRowFilter;
import java.io.Serializable;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Stage 6: reads splits again and sends the few rows needed to replay findings, according to a plan that arrives first.
 */
final class FetchRowsOperator extends RereadOperator {

    private static final long serialVersionUID = 1;

    /** The word of stage 6. */
    static final String WORD = "explain";

    private static final int SEND_AT = 1 << 18;

    private transient @Nullable ReplayRowFilter sieve;
    private transient @Nullable Set<ColumnGroup> columns;
    private transient SliceCodec codec;
    private transient ByteWriter buffer;
    private transient long firstOrder; // order of the first row in the buffer

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
    void begin(Serializable plan) {
        FetchPlan given = (FetchPlan) plan;
        sieve = given.newSieve();
        columns = given.columns();
    }

    @Override
    Set<ColumnGroup> columns() {
        return requireNonNull(columns);
    }

    @Override
    int send(HistorySlice slice, long order) {
        HistorySlice kept = requireNonNull(sieve).keep(slice);
        if (kept == null) {
            return 0;
        }
        if (buffer.size() == 0) {
            firstOrder = order;
        }
        codec.encode(kept, SliceForm.ALL, buffer);
        if (buffer.size() >= SEND_AT) {
            endSplit();
        }
        return kept.txnCount;
    }

    @Override
    void endSplit() {
        if (buffer.size() > 0) {
            emit(new Chunk(Chunk.Kind.SLICE, 0, buffer), firstOrder);
            buffer.clear();
        }
    }
}
