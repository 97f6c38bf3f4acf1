package io.nightjar.jobs.check;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.SetsFields;
import io.nightjar.jobs.read.ScanPass;
import io.nightjar.jobs.read.ValidatingScanner;
import io.nightjar.jobs.run.StageMetrics;
import io.nightjar.pipeline.check.timestamp.InOrderSweep;
import io.nightjar.pipeline.check.timestamp.PartitionedInOrderSweep;
import io.nightjar.pipeline.check.timestamp.SessionOrder;
import io.nightjar.pipeline.partition.LaneChunk;
import io.nightjar.pipeline.partition.TransactionScan;
import io.nightjar.pipeline.validate.HistoryFacts;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A first pass that checks rows in the order of their arrival, and ends as soon as that turns out to be useless. */
final class InOrderPass implements ScanPass<InOrderPass.Scanned> {

    /*
     * Readers scan slices and partition their operations by key. Each lane has a sweep, and a share of the sessions.
     * One lane is swept by the thread that receives the slices; several have a thread each and receive every slice in
     * the order of the rows, so that the sweeps, which grow with the operations, are as parallel as the reading.
     */

    private final ValidatingScanner rows;
    private final List<SessionOrder> sessions;
    private final @Nullable String initialValue;
    private final PartitionedInOrderSweep sweeps;
    private StageMetrics.Stage stage;
    private @Nullable OrderedBroadcast<Scanned> workers; // null if only one lane exists
    private long txnsRead;
    private volatile boolean isOver;

    /** @param sessions one for each lane */
    InOrderPass(
            ValidatingScanner rows,
            List<SessionOrder> sessions,
            @Nullable String initialValue,
            PartitionedInOrderSweep sweeps) {
        this.rows = rows;
        this.sessions = sessions;
        this.initialValue = initialValue;
        this.sweeps = sweeps;
    }

    /** A slice, and its operations in a chunk for each lane. */
    record Scanned(HistorySlice slice, @Nullable HistoryFacts facts, LaneChunk[] chunks) {}

    /** Returns the number of lanes that keep up with the readers: reading takes more than twice the time of a sweep. */
    static int lanesFor(int threadCount) {
        return Math.max(1, Integer.highestOneBit(threadCount / 2));
    }

    @SetsFields
    void run(Set<ColumnGroup> columns, BadRowHandler badRows, StageMetrics.Stage of) throws IOException {
        stage = of;
        if (sweeps.count() == 1) {
            rows.pass(columns, badRows, this);
            finish(0);
            return;
        }
        try (OrderedBroadcast<Scanned> onThreads = new OrderedBroadcast<>(sweeps.count(), this::sweep, this::finish)) {
            workers = onThreads;
            rows.pass(columns, badRows, this);
            onThreads.awaitEnd();
        }
    }

    @Override
    public Work<Scanned> newWork() {
        TransactionScan scan = new TransactionScan(sweeps.count(), initialValue);
        return slice -> {
            HistoryFacts facts = rows.factsOf(slice);
            scan.scan(slice);
            LaneChunk[] chunks = new LaneChunk[sweeps.count()];
            for (int lane = 0; lane < chunks.length; lane++) {
                chunks[lane] = scan.exchange(lane, sweeps.sweepOf(lane).emptyChunk());
            }
            return new Scanned(slice, facts, chunks);
        };
    }

    @Override
    public void take(Scanned scanned) throws IOException {
        rows.validate(scanned.slice(), scanned.facts());
        if (workers == null) {
            sweep(0, scanned);
        } else {
            workers.give(scanned);
        }
        txnsRead += scanned.slice().txnCount;
        stage.advance(scanned.slice().txnCount);
    }

    private void sweep(int lane, Scanned scanned) {
        if (isOver) {
            return;
        }
        sessions.get(lane).observe(scanned.slice(), lane, sweeps.count());
        InOrderSweep sweep = sweeps.sweepOf(lane);
        sweep.add(scanned.chunks()[lane]);
        if (sweep.isGivenUp()) {
            isOver = true;
        }
    }

    private void finish(int lane) {
        if (!isOver) {
            sweeps.sweepOf(lane).finish();
        }
    }

    @Override
    public boolean isOver() {
        return isOver;
    }

    long txnsRead() {
        return txnsRead;
    }
}
