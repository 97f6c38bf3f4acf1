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
import java.util.Set;
import org.openjdk.jmh.infra.Blackhole;

/** A generated history in a separate temporary file. */
final class HistoryFile {

    /** The columns of a check by timestamps. */
    private static final Set<ColumnGroup> WANTED =
            EnumSet.of(ColumnGroup.TIMESTAMPS, ColumnGroup.CLIENT_TIMES, ColumnGroup.OPERATIONS);

    private final Path directory;
    private final Path file;
    private final long opCount;

    private HistoryFile(Path directory, Path file, long opCount) {
        this.directory = directory;
        this.file = file;
        this.opCount = opCount;
    }

    /** Writes slices to a fresh directory, in the format of the extension. */
    static HistoryFile write(GeneratedSlices history, String extension) throws IOException {
        Path directory = Files.createTempDirectory("nightjar-bench-");
        Path file = directory.resolve("history" + extension);
        try (HistoryWriter writer = Histories.create(file, null)) {
            for (HistorySlice slice : history.slices) {
                writer.write(slice);
            }
            writer.finish();
        }
        return new HistoryFile(directory, file, history.operationCount());
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

    void delete() throws IOException {
        Files.deleteIfExists(file);
        Files.deleteIfExists(directory);
    }
}
