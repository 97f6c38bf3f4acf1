package io.nightjar.bench.micro;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.registry.Histories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/** Decoding of a generated history from a temporary file. */
public abstract class FileBenchmark extends KernelBenchmark {

    /** The columns of a check by timestamps. */
    private static final Set<ColumnGroup> WANTED =
            EnumSet.of(ColumnGroup.TIMESTAMPS, ColumnGroup.CLIENT_TIMES, ColumnGroup.OPERATIONS);

    private final String extension;
    private Path directory;
    private Path file;
    private long opCount;

    /** @param extension determines the format */
    FileBenchmark(String extension) {
        this.extension = extension;
    }

    @Setup(Level.Trial)
    public void write(GeneratedSlices history) throws IOException {
        directory = Files.createTempDirectory("nightjar-bench-");
        file = directory.resolve("history" + extension);
        try (HistoryWriter writer = Histories.create(file, null)) {
            for (HistorySlice slice : history.slices) {
                writer.write(slice);
            }
            writer.finish();
        }
        opCount = history.operationCount();
        history.slices = List.of(); // releases the slices, so that collections do not trace them
    }

    /** Reads all rows on this thread; returns the number of operations. */
    long read(Blackhole sink) throws IOException {
        long read = 0;
        try (HistorySource source = Histories.open(file, null)) {
            for (int split = 0; split < source.splits().size(); split++) {
                try (SliceReader reader = source.open(split, WANTED, BadRowHandler.REJECT)) {
                    for (HistorySlice slice = reader.next(); slice != null; slice = reader.next()) {
                        read += slice.opCount;
                        sink.consume(slice);
                    }
                }
            }
        }
        if (read != opCount) {
            throw new IllegalStateException("operations lost: read=" + read + " written=" + opCount);
        }
        return read;
    }

    @TearDown(Level.Trial)
    public void delete() throws IOException {
        Files.deleteIfExists(file);
        Files.deleteIfExists(directory);
    }
}
