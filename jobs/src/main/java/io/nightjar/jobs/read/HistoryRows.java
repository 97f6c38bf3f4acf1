package io.nightjar.jobs.read;

import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.Column;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.pipeline.validate.HistoryFacts;
import io.nightjar.pipeline.validate.Validation;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;

/** The rows of a source, read as often as is needed. The first pass over all of them validates them on the way. */
public final class HistoryRows {

    /** A source with so few bytes is read twice in no time. */
    private static final long SMALL = 1 << 16;

    private final HistorySource source;
    private final int threadCount;
    private final long memoryBytes;

    private Validation validation;
    private HistorySummary summary; // null until the first pass is over

    /** What the pass that set rows aside had read. Only what reads as much passes over the same rows. */
    private volatile EnumSet<Column> readWithBadRows = EnumSet.noneOf(Column.class);

    public HistoryRows(HistorySource source, int threadCount, long memoryBytes) {
        this.source = source;
        this.threadCount = threadCount;
        this.memoryBytes = memoryBytes;
    }

    public HistorySource source() {
        return source;
    }

    /** What the first pass found out; valid once it is over. */
    public HistorySummary summary() {
        return summary;
    }

    public boolean isValidated() {
        return summary != null;
    }

    /** Rows were set aside by a pass that read so much. */
    public void setAsideBadRows(Set<Column> columns) {
        readWithBadRows = EnumSet.copyOf(columns);
    }

    /** Reads everything, on this thread's account; bad rows were told of before. */
    public void pass(Set<Column> columns, Pass.OfSlices to) throws IOException {
        pass(columns, BadRows.PASS_OVER, to);
    }

    /** Reads everything. */
    public <R> void pass(Set<Column> columns, BadRows badRows, Pass<R> reading) throws IOException {
        if (badRows == BadRows.PASS_OVER) {
            Set<Column> all = EnumSet.copyOf(readWithBadRows);
            all.addAll(columns);
            new SliceLoop<R>(source, all, badRows, threadCount).run(reading);
            return;
        }
        BadRows noting = (file, row, reason, rawText) -> {
            setAsideBadRows(columns);
            badRows.add(file, row, reason, rawText);
        };
        new SliceLoop<R>(source, columns, noting, threadCount).run(reading);
    }

    /** A first pass begins, or begins once more. */
    public void beginFirstPass() {
        if (!isValidated()) {
            validation = new Validation(memoryBytes / 8);
        }
    }

    /** Looks at a slice of the first pass by itself, on the thread that read it; null if the history is validated already. */
    public HistoryFacts factsOf(HistorySlice slice) {
        return isValidated() ? null : HistoryFacts.of(slice);
    }

    /**
     * Takes every slice of the first pass in the order of the rows.
     *
     * @param ofSlice what {@link #factsOf} it says
     */
    public void validate(HistorySlice slice, HistoryFacts ofSlice) {
        if (!isValidated()) {
            validation.add(slice, ofSlice);
        }
    }

    /** The first pass is over; afterwards the history is known to be one, and its facts are known. */
    public void endFirstPass() throws IOException {
        if (isValidated()) {
            return;
        }
        while (validation.needsAnotherPass()) {
            pass(validation.columns(), slice -> {
                if (!validation.isSettled()) {
                    validation.add(slice);
                }
            });
        }
        summary = HistorySummary.of(validation);
        validation = null;
    }

    /** Whether the first rows leave it open that every committed transaction has timestamps. */
    public boolean mayHaveTimestamps() throws IOException {
        if (isValidated()) {
            return summary.areTimestampsComplete();
        }
        if (source.splits().get(0).byteCount() <= SMALL) {
            return true;
        }
        try (SliceReader reader = source.open(0, EnumSet.of(Column.TIMESTAMPS), BadRows.PASS_OVER)) {
            HistorySlice slice = reader.next();
            for (int txn = 0; slice != null && txn < slice.txnCount; txn++) {
                boolean isCommitted = slice.status[txn] == TxnStatus.COMMITTED;
                if (isCommitted && (slice.startTs == null || slice.startTs[txn] == HistorySlice.NONE)) {
                    return false;
                }
            }
        }
        return true;
    }
}
