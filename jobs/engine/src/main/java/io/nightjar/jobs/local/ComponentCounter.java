package io.nightjar.jobs.local;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.HistorySource.Split;
import io.nightjar.pipeline.infer.ClientHistory;
import io.nightjar.pipeline.infer.OperationLogBuilder;
import io.nightjar.pipeline.infer.ReadInference;
import io.nightjar.pipeline.infer.ReadResolution;
import io.nightjar.pipeline.partition.CommunicationGraph;
import org.jspecify.annotations.Nullable;

/** Gathers the operations of a history during the first pass, if memory suffices, and counts its components. */
final class ComponentCounter {

    /*
     * Components need the whole history at once: operations, writers by value, reads and writes resolved, and the
     * graph. The gathered operations are discarded as soon as all that would exceed the memory bound.
     */
    private static final long BYTES_PER_OP = 60;
    private static final long BYTES_PER_TXN = 80;

    private final long roomBytes;
    private @Nullable OperationLogBuilder builder;
    private long txns;
    private long ops;

    /**
     * @param initialValue as text, or null
     * @param roomBytes maximum memory for the operations and everything derived from them
     */
    ComponentCounter(HistorySource source, @Nullable String initialValue, long roomBytes) {
        this.roomBytes = roomBytes;
        long toldTxns = 0;
        long toldOps = 0;
        for (Split split : source.splits()) {
            boolean tells = toldOps >= 0 && split.opCount() >= 0 && split.txnCount() >= 0;
            toldTxns = tells ? toldTxns + split.txnCount() : -1;
            toldOps = tells ? toldOps + split.opCount() : -1;
        }
        if (fits(Math.max(0, toldTxns), Math.max(0, toldOps))) {
            builder = new OperationLogBuilder(initialValue);
            if (toldOps > 0) {
                builder.expect((int) toldTxns + 1, (int) toldOps);
            }
        }
    }

    /** Adds the next slice; its operations must have been read. */
    void add(HistorySlice slice) {
        txns += slice.txnCount;
        ops += slice.opCount;
        if (builder == null) {
            return;
        }
        if (fits(txns, ops)) {
            builder.add(slice);
        }
        if (!fits(txns, ops) || 2 * builder.byteSize() > roomBytes) {
            builder = null;
        }
    }

    /** Returns the components, after the last slice; releases all memory. */
    InspectedComponents count() {
        if (builder == null) {
            return InspectedComponents.notCounted(neededBytes(txns, ops));
        }
        ClientHistory history = new ReadInference(ReadResolution.of(builder.build()), false, false)
                .run()
                .history();
        builder = null;
        return InspectedComponents.of(CommunicationGraph.of(history));
    }

    private boolean fits(long txnCount, long opCount) {
        return opCount <= Integer.MAX_VALUE - 8 && neededBytes(txnCount, opCount) <= roomBytes;
    }

    private static long neededBytes(long txnCount, long opCount) {
        return BYTES_PER_TXN * txnCount + BYTES_PER_OP * opCount;
    }
}
