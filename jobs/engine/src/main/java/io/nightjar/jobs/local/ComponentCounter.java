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

    private final long freeBytes;
    private @Nullable OperationLogBuilder builder;
    private long txns;
    private long ops;

    /**
     * @param initialValue as text, or null
     * @param freeBytes maximum memory for the operations and everything derived from them
     */
    ComponentCounter(HistorySource source, @Nullable String initialValue, long freeBytes) {
        this.freeBytes = freeBytes;
        long reportedTxns = 0;
        long reportedOps = 0;
        for (Split split : source.splits()) {
            boolean tells = reportedOps >= 0 && split.opCount() >= 0 && split.txnCount() >= 0;
            reportedTxns = tells ? reportedTxns + split.txnCount() : -1;
            reportedOps = tells ? reportedOps + split.opCount() : -1;
        }
        if (fits(Math.max(0, reportedTxns), Math.max(0, reportedOps))) {
            builder = new OperationLogBuilder(initialValue);
            if (reportedOps > 0) {
                builder.expect((int) reportedTxns + 1, (int) reportedOps);
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
        if (!fits(txns, ops) || 2 * builder.byteSize() > freeBytes) {
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
        return opCount <= Integer.MAX_VALUE - 8 && neededBytes(txnCount, opCount) <= freeBytes;
    }

    private static long neededBytes(long txnCount, long opCount) {
        return BYTES_PER_TXN * txnCount + BYTES_PER_OP * opCount;
    }
}
