package io.nightjar.jobs.report;

import io.nightjar.formats.file.Addresses;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.registry.Histories;
import io.nightjar.jobs.lake.StoredRun;
import io.nightjar.jobs.read.ParallelScan;
import io.nightjar.jobs.read.ScanPass;
import io.nightjar.jobs.run.InputFingerprint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Result of reading a run's history again, if it still exists and is unchanged.
 *
 * @param shape null if the history could not be read
 * @param note the reason for that, or the splits that the shape covers; null if it covers the whole history
 */
record HistoryView(@Nullable HistoryShape shape, @Nullable String note) {

    /** Maximum size that is read completely; larger histories are sampled in splits spread over the whole. */
    private static final long MAX_BYTES = 512L << 20;

    private static final long MAX_TXNS = 2_000_000;

    private static final Set<ColumnGroup> COLUMNS =
            EnumSet.of(ColumnGroup.TIMESTAMPS, ColumnGroup.CLIENT_TIMES, ColumnGroup.OPERATIONS);

    static HistoryView without(String note) {
        return new HistoryView(null, note);
    }

    /** Reads the history, or splits of a large one. */
    static HistoryView at(StoredRun run) {
        String address = run.facts().historyUri();
        try {
            Path path = Addresses.path(address);
            if (!Files.isRegularFile(path) && !Files.isDirectory(path)) {
                return without("The history is not there any more: " + address);
            }
            if (!InputFingerprint.isOf(path, run.facts().inputFingerprint())) {
                return without("The history has changed since it was checked: " + address);
            }
            try (HistorySource source = Histories.open(path, formatOf(run))) {
                return source.read(() -> read(source));
            }
        } catch (InvalidPathException noPath) {
            return without("The history is not on this machine: " + address);
        } catch (IOException | MalformedHistoryException | IllegalArgumentException failed) {
            return without("The history cannot be read any more: " + failed.getMessage());
        }
    }

    /** Returns the requested format, which is among the options of the run. */
    private static @Nullable String formatOf(StoredRun run) {
        return ReportJson.textOf(run.facts().optionsJson(), "from");
    }

    private static HistoryView read(HistorySource source) throws IOException {
        long bytes = source.splits().stream()
                .mapToLong(HistorySource.Split::byteCount)
                .sum();
        boolean hasOneSplit = source.splits().size() == 1;
        HistoryShape whole = new HistoryShape();
        if (bytes <= MAX_BYTES) {
            new ParallelScan<HistoryShape>(
                            source,
                            COLUMNS,
                            BadRowHandler.PASS_OVER,
                            Runtime.getRuntime().availableProcessors())
                    .run(new ShapePass(whole));
            return new HistoryView(whole, null);
        }
        List<Integer> chosen = new ArrayList<>();
        int step = (int) Math.max(1, (bytes + MAX_BYTES - 1) / MAX_BYTES);
        for (int split = 0; split < source.splits().size(); split += step) {
            chosen.add(split);
        }
        boolean isWhole = true;
        for (int split : chosen) {
            isWhole &= readSplit(source, split, whole);
        }
        String extent = hasOneSplit || !isWhole
                ? "Of the first %,d transactions; the history is large".formatted(whole.txns())
                : "Of %,d of %,d parts of the history, which is large"
                        .formatted(chosen.size(), source.splits().size());
        return new HistoryView(whole, hasOneSplit && isWhole ? null : extent);
    }

    /** Returns whether the split was read to its end. */
    private static boolean readSplit(HistorySource source, int split, HistoryShape whole) throws IOException {
        try (SliceReader reader = source.open(split, COLUMNS, BadRowHandler.PASS_OVER)) {
            for (HistorySlice slice = reader.next(); slice != null; slice = reader.next()) {
                whole.add(HistoryShape.of(slice));
                if (whole.txns() > MAX_TXNS) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Scan that computes the shape of each slice on its reading thread. */
    private record ShapePass(HistoryShape whole) implements ScanPass<HistoryShape> {

        @Override
        public Work<HistoryShape> newWork() {
            return HistoryShape::of;
        }

        @Override
        public void take(HistoryShape shape) {
            whole.add(shape);
        }
    }
}
