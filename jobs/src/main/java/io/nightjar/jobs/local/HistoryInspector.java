package io.nightjar.jobs.local;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.jobs.read.DeadLetters;
import io.nightjar.jobs.read.ItemSource;
import io.nightjar.jobs.read.Pass;
import io.nightjar.jobs.read.SliceLoop;
import io.nightjar.pipeline.validate.Inspection;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Drives an {@link Inspection} over one source, pass by pass, with threads that read ahead. Bad rows do not end it. */
public final class HistoryInspector {

    /** Formats whose rows are lines, where no row is good enough to say it. */
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
     * @param initialValue as text; null to go by the format
     * @param memoryBytes what the inspection may keep, apart from the slices that are read ahead
     * @param graphBytes what it may take beside that to find out who touches what with whom
     * @param maxBadRows how many rows that are not transactions may be set aside
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
            source.checkUnchanged(); // which explains whatever came of it
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
        MalformedHistoryException first = requireNonNull(badRows.first(rowsAreLines)); // there are more than may be
        throw new MalformedHistoryException(first.place(), DeadLetters.tooMany(first.fault(), maxBadRows));
    }

    /**
     * Returns what is wrong with the rows, kind by kind; known once the inspection is over, also where it ended in a
     * rejection.
     */
    public List<InspectedProblem> problems() {
        return badRows.inOrder(rowsAreLines, end);
    }

    private InspectedHistory inspectAll(HistorySource source, long startNs, LongConsumer onRead) throws IOException {
        String initial = source.initialValue(initialValue);
        Inspection inspection = new Inspection(initial, memoryBytes);
        ComponentCounter counter = new ComponentCounter(source, initial, graphBytes);
        InspectedComponents components = null;
        BadRows told = badRows;
        do {
            boolean isFirstPass = components == null;
            Pass.OfSlices pass = slice -> {
                rowsAreLines = slice.rowsAreLines;
                if (isContradicted(inspection, slice)) {
                    return;
                }
                if (isFirstPass && !inspection.isSettled()) {
                    counter.add(slice);
                }
                onRead.accept(slice.txnCount);
            };
            new SliceLoop<HistorySlice>(ItemSource.of(source), inspection.columns(), told, threadCount).run(pass);
            if (end != null) {
                throw end;
            }
            if (isFirstPass && !inspection.isSettled()) {
                components = counter.count();
            }
            told = BadRows.PASS_OVER;
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

    /** Adds a slice; once rows contradict each other the rest is only looked through for bad rows. */
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
