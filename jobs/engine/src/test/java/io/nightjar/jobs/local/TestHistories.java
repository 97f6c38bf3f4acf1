package io.nightjar.jobs.local;

import io.nightjar.datasets.generate.GeneratedHistory;
import io.nightjar.datasets.generate.GeneratorOptions;
import io.nightjar.datasets.generate.HistoryGenerator;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.registry.Histories;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.jobs.run.ProgressListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Histories in files and how they are checked, for tests. */
final class TestHistories {

    private static final CheckOptions.Search SEARCH = new CheckOptions.Search(60_000_000_000L, 20_000_000_000L, false);

    static final List<IsolationLevel> SI_AND_CSER =
            List.of(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.COMMIT_ORDER_SERIALIZABLE);
    static final long MUCH_MEMORY = 256L << 20;

    private TestHistories() {}

    static GeneratedHistory generate(GeneratorOptions options, Path file) throws IOException {
        try (HistoryWriter writer = Histories.create(file, null)) {
            GeneratedHistory generated = HistoryGenerator.generate(options, writer::write);
            writer.finish();
            return generated;
        }
    }

    static void write(List<HistorySlice> slices, Path file) throws IOException {
        try (HistoryWriter writer = Histories.create(file, null)) {
            for (HistorySlice slice : slices) {
                writer.write(slice);
            }
            writer.finish();
        }
    }

    /** Writes rows as a directory of parts, each of {@code txnsPerPart} transactions. */
    static void writeParts(List<HistorySlice> slices, int txnsPerPart, Path directory, String extension)
            throws IOException {
        Files.createDirectories(directory);
        List<HistorySlice> parts = cut(slices, txnsPerPart);
        for (int part = 0; part < parts.size(); part++) {
            write(List.of(parts.get(part)), directory.resolve("part-%05d%s".formatted(part, extension)));
        }
    }

    static List<HistorySlice> cut(List<HistorySlice> slices, int txnsPerSlice) {
        List<HistorySlice> cut = new ArrayList<>();
        SliceBuilder builder = new SliceBuilder("cut");
        for (HistorySlice slice : slices) {
            for (int txn = 0; txn < slice.txnCount; txn++) {
                builder.copyTxn(slice, txn);
                if (builder.txnCount() == txnsPerSlice) {
                    cut.add(builder.build());
                    builder = new SliceBuilder("cut");
                }
            }
        }
        if (builder.txnCount() > 0) {
            cut.add(builder.build());
        }
        return cut;
    }

    static CheckOptions options(List<IsolationLevel> levels, int threads, long memoryBytes, Path spillParent) {
        return CheckOptions.of(levels)
                .maxAnomalies(1_000_000)
                .search(SEARCH)
                .threadCount(threads)
                .memoryBytes(memoryBytes)
                .spillParent(spillParent)
                .build();
    }

    static CheckOptions options(List<IsolationLevel> levels) {
        return options(levels, 1, MUCH_MEMORY, Path.of(System.getProperty("java.io.tmpdir")));
    }

    static CheckOptions withInitialValue(CheckOptions of, String initialValue) {
        return of.but().initialValue(initialValue).batchId(null).build();
    }

    static CheckOptions withLake(CheckOptions of, Path lake, String runId) {
        return of.but().lake(lake).runId(runId).batchId(null).build();
    }

    static RunResult check(Path history, CheckOptions options) throws IOException {
        try (HistorySource source = Histories.open(history, null)) {
            return new LocalEngine(options, "test", ProgressListener.NONE).check(source, history);
        }
    }
}
