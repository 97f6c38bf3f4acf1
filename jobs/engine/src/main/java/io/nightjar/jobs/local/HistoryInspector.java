package io.nightjar.jobs.local;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.jobs.read.DeadLetters;
import io.nightjar.jobs.read.ItemSource;
import io.nightjar.jobs.read.ParallelScan;
import io.nightjar.jobs.read.ScanPass;
import io.nightjar.pipeline.validate.Inspection;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Drives an {@link Inspection} over one source, pass by pass, with threads that read ahead. Malformed rows do not end
 * it.
 */
public final class HistoryInspector {

    /** Formats whose rows are lines, where messages call a row a line. */
    private static final Set<String> LINED_FORMATS = Set.of("jsonl", "notation", "hist", "plume", "awdit", "edn");

    private final @Nullable String initialValue;
    private final long memoryBytes;
    private final long graphBytes;
    private final int threadCount;
    private final long maxBadRows;
    private RowProblems badRows = new RowProblems();
    private boolean rowsAreLines;
    private @Nullable MalformedHistoryException end;

    /**
     * @param initialValue as text; null for the default of the format
     * @param memoryBytes maximum memory of the inspection, apart from the slices that are read ahead
     * @param graphBytes maximum additional memory to count components
     * @param maxBadRows maximum number of malformed rows to skip
     */
    public HistoryInspector(
            @Nullable String initialValue, long memoryBytes, long graphBytes, int threadCount, long maxBadRows) {
        this.initialValue = initialValue;
        this.memoryBytes = memoryBytes;
        this.graphBytes = graphBytes;
        this.threadCount = threadCount;
        this.maxBadRows = maxBadRows;
    }

    /**
     * Reads a source as often as its inspection needs.
     *
     * @param onRead called for the number of transactions of each slice read, on the calling thread
     * @throws MalformedHistoryException if it is not a history
     */
    public InspectedHistory inspect(HistorySource source, LongConsumer onRead) throws IOException {
        try {
            InspectedHistory inspected = source.read(() -> inspectSteady(source, onRead));
            source.checkUnchanged();
            return inspected;
        } catch (IOException | RuntimeException | Error failed) {
            source.checkUnchanged(); // a change explains any failure
            throw failed;
        }
    }

    private InspectedHistory inspectSteady(HistorySource source, LongConsumer onRead) throws IOException {
        long startNs = System.nanoTime();
        badRows = new RowProblems();
        end = null;
        rowsAreLines = LINED_FORMATS.contains(source.format());
        try {
            InspectedHistory inspected = inspectAll(source, startNs, onRead);
            if (badRows.rowCount() <= maxBadRows) {
                return inspected;
            }
        } catch (MalformedHistoryException noHistory) {
            end = noHistory;
            if (badRows.rowCount() <= maxBadRows) {
                throw noHistory;
            }
        }
        MalformedHistoryException first = requireNonNull(badRows.first(rowsAreLines)); // more than the limit
        throw new MalformedHistoryException(first.location(), DeadLetters.tooMany(first.fault(), maxBadRows));
    }

    /**
     * Returns the problems of the rows, by kind; complete once the inspection is over, also if it ended in a rejection.
     */
    public List<InspectedProblem> problems() {
        return badRows.inOrder(rowsAreLines, end);
    }

    private InspectedHistory inspectAll(HistorySource source, long startNs, LongConsumer onRead) throws IOException {
        String initial = source.initialValue(initialValue);
        Inspection inspection = new Inspection(initial, memoryBytes);
        ComponentCounter counter = new ComponentCounter(source, initial, graphBytes);
        InspectedComponents components = null;
        BadRowHandler handler = badRows;
        do {
            boolean isFirstPass = components == null;
            ScanPass.OfSlices pass = slice -> {
                rowsAreLines = slice.rowsAreLines;
                if (isContradicted(inspection, slice)) {
                    return;
                }
                if (isFirstPass && !inspection.isSettled()) {
                    counter.add(slice);
                }
                onRead.accept(slice.txnCount);
            };
            new ParallelScan<HistorySlice>(ItemSource.of(source), inspection.columns(), handler, threadCount).run(pass);
            if (end != null) {
                throw end;
            }
            if (isFirstPass && !inspection.isSettled()) {
                components = counter.count();
            }
            handler = BadRowHandler.PASS_OVER;
        } while (inspection.needsAnotherPass());
        long storedBytes = 0;
        for (HistorySource.Split split : source.splits()) {
            storedBytes += split.byteCount();
        }
        return new InspectedHistory(
                new InspectedHistory.Stored(source.uri(), source.format(), storedBytes, initial),
                inspection,
                requireNonNull(components),
                new InspectedHistory.SetAside(badRows.rowCount(), firstSetAside(), problems()),
                source.remarks(),
                (System.nanoTime() - startNs) / 1e9);
    }

    private @Nullable String firstSetAside() {
        MalformedHistoryException first = badRows.first(rowsAreLines);
        return first == null ? null : first.getMessage();
    }

    /** Adds a slice; once rows contradict each other the rest is only scanned for malformed rows. */
    private boolean isContradicted(Inspection inspection, HistorySlice slice) {
        if (end == null) {
            try {
                inspection.add(slice);
            } catch (MalformedHistoryException contradiction) {
                end = contradiction;
            }
        }
        return end != null;
    }
}
