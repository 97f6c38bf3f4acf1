package io.nightjar.jobs.record;

import io.nightjar.datasets.workload.RecordedTxn;
import io.nightjar.formats.history.TxnStatus;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;

/** How many transactions ended how, as their clients saw it until the server's log is read. */
final class RecordingCounts {

    private final LongAdder committed = new LongAdder();
    private final LongAdder aborted = new LongAdder();
    private final LongAdder unknown = new LongAdder();
    private final LongAdder operations = new LongAdder();
    private LogProof proof; // null until there is one

    void add(RecordedTxn txn) {
        switch (txn.status) {
            case TxnStatus.COMMITTED -> committed.increment();
            case TxnStatus.ABORTED -> aborted.increment();
            default -> unknown.increment();
        }
        operations.add(txn.opCount);
    }

    /** What the log settles is no longer unknown; it goes on counting while rows are put together. */
    void correctedBy(LogProof ofLog) {
        proof = ofLog;
    }

    long transactions() {
        return committed.sum() + aborted.sum() + unknown.sum();
    }

    long committed() {
        return committed.sum() + (proof == null ? 0 : proof.committed());
    }

    long aborted() {
        return aborted.sum() + (proof == null ? 0 : proof.aborted());
    }

    long unknown() {
        return unknown.sum() - (proof == null ? 0 : proof.committed() + proof.aborted());
    }

    long operations() {
        return operations.sum();
    }

    /** Transactions a second and outcomes. */
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
