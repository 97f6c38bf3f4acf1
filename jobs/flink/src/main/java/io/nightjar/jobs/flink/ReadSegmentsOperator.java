package io.nightjar.jobs.flink;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.jobs.run.EvidenceChoice;
import io.nightjar.pipeline.check.timestamp.Positions;
import io.nightjar.pipeline.partition.SliceCodec;
import io.nightjar.pipeline.partition.SliceForm;
import io.nightjar.pipeline.primitive.ByteWriter;
import it.unimi.dsi.fastutil.ints.Int2ObjectLinkedOpenHashMap;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.io.Serializable;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads splits again and sends the rows of segments, keyed by segment. */
final class ReadSegmentsOperator extends RereadOperator {

    private static final long serialVersionUID = 1;

    private transient @Nullable Positions positions;
    private transient SliceCodec codec;

    ReadSegmentsOperator(JobSpec spec) {
        super(spec, "read");
    }

    @Override
    public void open() throws Exception {
        super.open();
        codec = new SliceCodec();
    }

    @Override
    void begin(Serializable plan) {
        positions = ((SegmentPlan) plan).decode();
    }

    @Override
    Set<ColumnGroup> columns() {
        return EvidenceChoice.TIMESTAMP_COLUMNS;
    }

    @Override
    int send(HistorySlice slice, long order) {
        Int2ObjectLinkedOpenHashMap<IntArrayList> txnsOf = new Int2ObjectLinkedOpenHashMap<>(); // by segment
        int sent = 0;
        for (int txn = 0; txn < slice.txnCount; txn++) {
            int segment = slice.status[txn] == TxnStatus.COMMITTED
                    ? requireNonNull(positions).segmentOf(slice, txn)
                    : -1;
            if (segment >= 0) {
                txnsOf.computeIfAbsent(segment, absent -> new IntArrayList()).add(txn);
                sent++;
            }
        }
        txnsOf.int2ObjectEntrySet().fastForEach(entry -> {
            IntArrayList txns = entry.getValue();
            ByteWriter bytes = new ByteWriter(1 << 10);
            codec.encode(slice, txns.elements(), txns.size(), SliceForm.ALL, bytes);
            emit(new Chunk(Chunk.Kind.SLICE, entry.getIntKey(), bytes), order);
        });
        return sent;
    }
}
