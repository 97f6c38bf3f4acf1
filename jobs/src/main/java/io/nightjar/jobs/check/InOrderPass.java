package io.nightjar.jobs.check;

import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.Column;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.jobs.read.Pass;
import io.nightjar.jobs.read.SourceRows;
import io.nightjar.jobs.run.Stages;
import io.nightjar.pipeline.check.timestamp.InOrderSweep;
import io.nightjar.pipeline.check.timestamp.SessionOrder;
import io.nightjar.pipeline.split.LaneChunk;
import io.nightjar.pipeline.split.TransactionScan;
import io.nightjar.pipeline.validate.HistoryFacts;
import java.io.IOException;
import java.util.Set;

/** A first pass that checks rows in the order in which they come, and is over as soon as that turns out to be no use. */
final class InOrderPass implements Pass<InOrderPass.Scanned> {

    private final SourceRows rows;
    private final SessionOrder sessions;
    private final String initialValue;
    private final InOrderSweep sweep;
    private Stages.Stage stage;
    private long txnsRead;
    private volatile boolean isOver;

    InOrderPass(SourceRows rows, SessionOrder sessions, String initialValue, InOrderSweep sweep) {
        this.rows = rows;
        this.sessions = sessions;
        this.initialValue = initialValue;
        this.sweep = sweep;
    }

    /** A slice, and its operations in a chunk. */
    record Scanned(HistorySlice slice, HistoryFacts facts, LaneChunk chunk) {}

    void run(Set<Column> columns, BadRows badRows, Stages.Stage of) throws IOException {
        stage = of;
        rows.pass(columns, badRows, this);
        if (!isOver) {
            sweep.finish();
        }
    }

    @Override
    public Work<Scanned> newWork() {
        TransactionScan scan = new TransactionScan(1, initialValue);
        return slice -> {
            HistoryFacts facts = rows.factsOf(slice);
            scan.scan(slice);
            return new Scanned(slice, facts, scan.exchange(0, sweep.emptyChunk()));
        };
    }

    @Override
    public void take(Scanned scanned) {
        rows.validate(scanned.slice(), scanned.facts());
        sessions.observe(scanned.slice());
        sweep.add(scanned.chunk());
        isOver = sweep.isGivenUp();
        txnsRead += scanned.slice().txnCount;
        stage.advance(scanned.slice().txnCount);
    }

    @Override
    public boolean isOver() {
        return isOver;
    }

    /** Why it ended early. */
    String whyOver() {
        return sweep.whyGivenUp();
    }

    long txnsRead() {
        return txnsRead;
    }
}
