package io.nightjar.jobs.record;

import io.nightjar.datasets.workload.RecordedTxn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.TxnStatus;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Number of transactions by outcome, as known to clients until the server's log is read. */
final class RecordingCounts {

    private final LongAdder committed = new LongAdder();
    private final LongAdder aborted = new LongAdder();
    private final LongAdder unknown = new LongAdder();
    private final LongAdder operations = new LongAdder();
    private @Nullable OutcomeProof proof; // null until set

    void add(RecordedTxn txn) {
        of(txn.status).increment();
        operations.add(txn.opCount);
    }

    private LongAdder of(byte status) {
        return switch (status) {
            case TxnStatus.COMMITTED -> committed;
            case TxnStatus.ABORTED -> aborted;
            default -> unknown;
        };
    }

    RecordedHistory.Totals totals() {
        return new RecordedHistory.Totals(transactions(), committed(), aborted(), unknown(), operations.sum());
    }

    /** Adds rows that are on disk. */
    void add(HistorySlice slice) {
        for (int txn = 0; txn < slice.txnCount; txn++) {
            of(slice.status[txn]).increment();
        }
        operations.add(slice.opCount);
    }

    void add(RecordedHistory.Totals more) {
        committed.add(more.committed());
        aborted.add(more.aborted());
        unknown.add(more.unknown());
        operations.add(more.operations());
    }

    /** Sets the proof of unknown outcomes; its counts grow while rows are merged. */
    void correctedBy(OutcomeProof ofLog) {
        proof = ofLog;
    }

    long transactions() {
        return committed.sum() + aborted.sum() + unknown.sum();
    }

    private long committed() {
        return committed.sum() + (proof == null ? 0 : proof.committed());
    }

    private long aborted() {
        return aborted.sum() + (proof == null ? 0 : proof.aborted());
    }

    private long unknown() {
        return unknown.sum() - (proof == null ? 0 : proof.committed() + proof.aborted());
    }

    /** Returns throughput and outcomes. */
    String liveText(double seconds) {
        long inDoubt = unknown.sum();
        return String.format(
                Locale.ROOT,
                "%,.0f/s, %,d aborted%s",
                transactions() / Math.max(1e-3, seconds),
                aborted.sum(),
                inDoubt == 0 ? "" : String.format(Locale.ROOT, ", %,d unknown", inDoubt));
    }
}
