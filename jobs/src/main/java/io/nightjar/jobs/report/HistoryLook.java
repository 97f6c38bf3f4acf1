package io.nightjar.jobs.report;

import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.Column;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.source.Histories;
import io.nightjar.jobs.lake.StoredRun;
import io.nightjar.jobs.read.Pass;
import io.nightjar.jobs.read.SliceLoop;
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
 * A look at the history of a run, if it is still there and still the same.
 *
 * @param shape null if it could not be looked at
 * @param note why it could not, or of which part the shape is; null if it is of the whole
 */
record HistoryLook(@Nullable HistoryShape shape, @Nullable String note) {

    /** More than that is looked at in parts, spread over the whole. */
    private static final long MOST_BYTES = 512L << 20;

    private static final long MOST_TXNS = 2_000_000;

    private static final Set<Column> COLUMNS = EnumSet.of(Column.TIMESTAMPS, Column.CLIENT_TIMES, Column.OPERATIONS);

    static HistoryLook without(String note) {
        return new HistoryLook(null, note);
    }

    /** Reads the history, or parts of it where it is large. */
    static HistoryLook at(StoredRun run) {
        String address = run.facts().historyUri();
        try {
            Path path = Path.of(address);
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

    /** The format that was asked for, which is among the options of the run. */
    private static @Nullable String formatOf(StoredRun run) {
        return ReportJson.textOf(run.facts().optionsJson(), "from");
    }

    private static HistoryLook read(HistorySource source) throws IOException {
        long bytes = source.splits().stream()
                .mapToLong(HistorySource.Split::byteCount)
                .sum();
        boolean isOfOnePart = source.splits().size() == 1;
        HistoryShape whole = new HistoryShape();
        if (bytes <= MOST_BYTES) {
            new SliceLoop<HistoryShape>(
                            source,
                            COLUMNS,
                            BadRows.PASS_OVER,
                            Runtime.getRuntime().availableProcessors())
                    .run(new ShapePass(whole));
            return new HistoryLook(whole, null);
        }
        List<Integer> chosen = new ArrayList<>();
        int step = (int) Math.max(1, (bytes + MOST_BYTES - 1) / MOST_BYTES);
        for (int split = 0; split < source.splits().size(); split += step) {
            chosen.add(split);
        }
        boolean isWhole = true;
        for (int split : chosen) {
            isWhole &= readPart(source, split, whole);
        }
        String part = isOfOnePart || !isWhole
                ? "Of the first %,d transactions; the history is large".formatted(whole.txns())
                : "Of %,d of %,d parts of the history, which is large"
                        .formatted(chosen.size(), source.splits().size());
        return new HistoryLook(whole, isOfOnePart && isWhole ? null : part);
    }

    /** Returns whether the part was read to its end. */
    private static boolean readPart(HistorySource source, int split, HistoryShape whole) throws IOException {
        try (SliceReader reader = source.open(split, COLUMNS, BadRows.PASS_OVER)) {
            for (HistorySlice slice = reader.next(); slice != null; slice = reader.next()) {
                whole.add(HistoryShape.of(slice));
                if (whole.txns() > MOST_TXNS) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Makes a shape of each slice on the thread that read it. */
    private record ShapePass(HistoryShape whole) implements Pass<HistoryShape> {

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
