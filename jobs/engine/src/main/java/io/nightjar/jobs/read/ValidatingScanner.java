package io.nightjar.jobs.read;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.SearchedKeys;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.jobs.spill.SpillFile;
import io.nightjar.pipeline.decide.StageListener;
import io.nightjar.pipeline.validate.HistoryFacts;
import io.nightjar.pipeline.validate.Validation;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the rows of a source, as often as needed. The first pass of all of them validates them as well. */
public final class ValidatingScanner implements Closeable {

    /** A source with so few bytes is read twice in no time. */
    private static final long SMALL = 1 << 16;

    private HistorySource source;
    private final int threadCount;
    private final long memoryBytes;
    private final Path spillParent;

    private @Nullable SessionPartitions partitions; // null until sessions turned out not to fit
    private @Nullable Validation validation;
    private @Nullable HistorySummary summary; // null until the first pass is over

    /** The columns of the pass that skipped rows. Only a pass of the same columns skips the same rows. */
    private volatile EnumSet<ColumnGroup> readWithBadRows = EnumSet.noneOf(ColumnGroup.class);

    /** @param spillParent directory for sessions that do not fit into memory */
    public ValidatingScanner(HistorySource source, int threadCount, long memoryBytes, Path spillParent) {
        this.source = ItemSource.of(source);
        this.threadCount = threadCount;
        this.memoryBytes = memoryBytes;
        this.spillParent = spillParent;
    }

    public HistorySource source() {
        return source;
    }

    /** Replaces predicate reads, which passes omitted, by guards of the keys that they did not return. */
    public void expandSearches(SearchedKeys keys) {
        source = ((ItemSource) source).with(keys);
    }

    /** Returns the results of the first pass; valid once it is over. */
    public HistorySummary summary() {
        return requireNonNull(summary);
    }

    private Validation validating() {
        return requireNonNull(validation);
    }

    public boolean isValidated() {
        return summary != null;
    }

    /** Records that a pass that read the given columns has skipped all malformed rows. */
    public void setAsideBadRows(Set<ColumnGroup> columns) {
        readWithBadRows = EnumSet.copyOf(columns);
    }

    /** Reads all rows; the calling thread consumes the results. Malformed rows were reported before. */
    public void pass(Set<ColumnGroup> columns, ScanPass.OfSlices to) throws IOException {
        pass(columns, BadRowHandler.PASS_OVER, to);
    }

    /** Reads all rows. */
    public <R> void pass(Set<ColumnGroup> columns, BadRowHandler badRows, ScanPass<R> reading) throws IOException {
        if (badRows == BadRowHandler.PASS_OVER) {
            Set<ColumnGroup> all = EnumSet.copyOf(readWithBadRows);
            all.addAll(columns);
            new ParallelScan<R>(source, all, badRows, threadCount).run(reading);
            return;
        }
        BadRowHandler noting = (file, row, fault, rawText) -> {
            setAsideBadRows(columns);
            badRows.add(file, row, fault, rawText);
        };
        new ParallelScan<R>(source, columns, noting, threadCount).run(reading);
    }

    /** Begins a first pass, for the first time or once more. */
    public void beginFirstPass() {
        if (!isValidated()) {
            validation = new Validation(memoryBytes / 8);
        }
    }

    /**
     * Validates a slice of the first pass independently of others, on the thread that read it; null if the history is
     * validated already.
     */
    public @Nullable HistoryFacts factsOf(HistorySlice slice) {
        return isValidated() ? null : HistoryFacts.of(slice);
    }

    /**
     * Accepts every slice of the first pass in the order of the rows.
     *
     * @param ofSlice the result of {@link #factsOf}
     */
    public void validate(HistorySlice slice, @Nullable HistoryFacts ofSlice) {
        if (!isValidated()) {
            validating().add(slice, ofSlice);
        }
    }

    /** Accepts the summary of a first pass that other tasks made. */
    public void wasValidated(HistorySummary found) {
        summary = found;
    }

    /** Ends the first pass; afterwards the history is valid, and its facts are available. */
    public void endFirstPass(StageListener watch) throws IOException {
        if (isValidated()) {
            return;
        }
        if (validating().needsAnotherPass()) {
            try (StageListener.Work work =
                    watch.begin("validate", -1, validating().facts().txnCount())) {
                readFurther(work);
            }
        }
        summary = HistorySummary.of(validating()).with(source.remarks());
        validation = null;
    }

    private void readFurther(StageListener.Work work) throws IOException {
        do {
            if (validating().areSessionsSplit()) {
                validateSessionsByPartition();
                work.spilled(requireNonNull(partitions).bytesSpilled());
            } else {
                pass(validating().columns(), slice -> {
                    if (!validating().isSettled()) {
                        validating().add(slice);
                    }
                });
            }
            work.advance(1);
        } while (validating().needsAnotherPass());
    }

    private void validateSessionsByPartition() throws IOException {
        SessionPartitions sessionPartitions =
                partitions != null ? partitions : partitionSessions(validating().bitsThatFit());
        validating().partitionedByBits(sessionPartitions.partitionBits());
        if (validating().areIdsOpen()) {
            pass(EnumSet.noneOf(ColumnGroup.class), slice -> {
                if (!validating().isSettled()) {
                    validating().addIds(slice);
                }
            });
        }
        for (int partition = 0; partition < sessionPartitions.partitionCount(); partition++) {
            if (validating().looksAt(partition)) {
                sessionPartitions.forEach(partition, slice -> {
                    if (!validating().isSettled()) {
                        validating().addSessions(slice);
                    }
                });
            }
        }
    }

    /**
     * Returns all transactions, partitioned by their sessions; they are read once for that.
     *
     * @param sessionPartitions minimum number of partitions, if it is the first call
     */
    public SessionPartitions partitionedSessions(long partitionCount) throws IOException {
        if (partitions != null) {
            return partitions;
        }
        int bits = Long.SIZE - Long.numberOfLeadingZeros(Math.max(1, partitionCount) - 1);
        return partitionSessions(Math.min(bits, Validation.MAX_PARTITION_BITS));
    }

    private SessionPartitions partitionSessions(int partitionBits) throws IOException {
        SpillFile.Folders spillFolders = new SpillFile.Folders(
                List.of(spillParent), "free disk space, set TMPDIR to a larger disk, or give more --memory");
        SessionPartitions dealing = new SessionPartitions(spillFolders, partitionBits, memoryBytes / 16);
        partitions = dealing;
        pass(EnumSet.of(ColumnGroup.TIMESTAMPS, ColumnGroup.CLIENT_TIMES, ColumnGroup.OPERATIONS), dealing::partition);
        dealing.endOfDealing();
        return dealing;
    }

    @Override
    public void close() throws IOException {
        if (partitions != null) {
            partitions.close();
            partitions = null;
        }
    }

    /** Returns whether, by the first rows, every committed transaction may have timestamps. */
    public boolean mayHaveTimestamps() throws IOException {
        if (isValidated()) {
            return summary().areTimestampsComplete();
        }
        if (source.splits().get(0).byteCount() <= SMALL) {
            return true;
        }
        try (SliceReader reader = source.open(0, EnumSet.of(ColumnGroup.TIMESTAMPS), BadRowHandler.PASS_OVER)) {
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
