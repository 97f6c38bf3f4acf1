package io.nightjar.jobs.local;

import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.Place;
import io.nightjar.jobs.read.SliceLoop;
import io.nightjar.pipeline.validate.Inspection;
import java.io.IOException;
import java.util.function.LongConsumer;

/** Drives an {@link Inspection} over a source, pass by pass, with threads that read ahead. */
public final class HistoryInspector {

    private final String initialValue;
    private final long memoryBytes;
    private final long graphBytes;
    private final int threadCount;
    private final long maxBadRows;

    /**
     * @param initialValue as text; null to go by the format
     * @param memoryBytes what the inspection may keep, apart from the slices that are read ahead
     * @param graphBytes what it may take beside that to find out who touches what with whom
     * @param maxBadRows how many rows that are not transactions may be set aside
     */
    public HistoryInspector(String initialValue, long memoryBytes, long graphBytes, int threadCount, long maxBadRows) {
        this.initialValue = initialValue;
        this.memoryBytes = memoryBytes;
        this.graphBytes = graphBytes;
        this.threadCount = threadCount;
        this.maxBadRows = maxBadRows;
    }

    /**
     * Reads a source as often as its inspection needs.
     *
     * @param onRead told of the number of transactions of each slice read, on the calling thread
     * @throws MalformedHistoryException if it is not a history
     */
    public InspectedHistory inspect(HistorySource source, LongConsumer onRead) throws IOException {
        try {
            InspectedHistory inspected = inspectSteady(source, onRead);
            source.checkUnchanged();
            return inspected;
        } catch (IOException | RuntimeException | Error failed) {
            source.checkUnchanged(); // which explains whatever came of it
            throw failed;
        }
    }

    private InspectedHistory inspectSteady(HistorySource source, LongConsumer onRead) throws IOException {
        long startNs = System.nanoTime();
        String initial = initialValue != null ? initialValue : source.impliedInitialValue();
        Inspection inspection = new Inspection(initial, memoryBytes);
        FirstBadRows badRows = new FirstBadRows(maxBadRows);
        ComponentCounter counter = new ComponentCounter(source, initial, graphBytes);
        InspectedComponents components = null;
        BadRows told = badRows;
        do {
            boolean isFirstPass = components == null;
            SliceLoop<HistorySlice> loop = new SliceLoop<>(source, inspection.columns(), told, threadCount);
            loop.run(() -> slice -> slice, slice -> {
                inspection.add(slice);
                if (isFirstPass && !inspection.isSettled()) {
                    counter.add(slice);
                }
                onRead.accept(slice.txnCount);
            });
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
                source.uri(),
                source.format(),
                storedBytes,
                initial,
                inspection,
                components,
                badRows.count,
                badRows.example,
                (System.nanoTime() - startNs) / 1e9);
    }

    /** Counts bad rows up to a limit and keeps the first. */
    private static final class FirstBadRows implements BadRows {

        private final long limit;
        private long count;
        private String example;

        private FirstBadRows(long limit) {
            this.limit = limit;
        }

        @Override
        public synchronized void add(String file, long row, String reason, String rawText) {
            count++;
            if (count > limit) {
                String allowed = limit == 0 ? "" : "; more bad rows than allowed: max-dead-letters=" + limit;
                throw new MalformedHistoryException(Place.row(file, row), reason + allowed);
            }
            if (example == null) {
                example = Place.row(file, row) + " " + reason;
            }
        }
    }
}
