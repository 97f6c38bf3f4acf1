package io.nightjar.jobs.sql;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.OpColumns;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.parquet.ParquetHistoryWriter;
import io.nightjar.jobs.ScratchFolder;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.input.HistoryArgument;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Histories in Parquet as they are, those in another format as a Parquet file of the session. */
final class ConvertedHistories implements HistoryFiles {

    private static final String PARQUET = "parquet";
    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);

    private final ScratchFolder scratch;
    private final Map<String, HistoryArgument> pipes = new HashMap<>();
    private int converted;

    ConvertedHistories(ScratchFolder scratch) {
        this.scratch = scratch;
    }

    @Override
    public List<Path> parquetOf(Path named, @Nullable String format) {
        try {
            HistoryArgument history = find(named);
            List<Path> files = format == null || format.equals(PARQUET) ? parts(history.path()) : List.of();
            if (files.isEmpty() || !areParquet(files)) {
                return List.of(convert(history, format));
            }
            // The database reads the files itself; this only reports errors in them in our terms.
            history.open(PARQUET).close();
            return files;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Finds a history; a pipe is read once, however often queries name it. */
    private HistoryArgument find(Path named) throws IOException {
        String name = HistoryArgument.nameOf(named);
        HistoryArgument history = pipes.get(name);
        if (history == null) {
            history = HistoryArgument.find(named, bytes -> {});
            if (history.keptBytes() > 0) {
                pipes.put(name, history);
            }
        }
        return history;
    }

    void close() {
        pipes.values().forEach(HistoryArgument::close);
    }

    private static List<Path> parts(Path history) throws IOException {
        if (!Files.isDirectory(history)) {
            return List.of(history);
        }
        List<Path> parts = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(history)) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                if (!name.startsWith("_") && !name.startsWith(".")) {
                    parts.add(entry);
                }
            }
        }
        Collections.sort(parts);
        return parts;
    }

    private static boolean areParquet(List<Path> files) throws IOException {
        for (Path file : files) {
            if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
                return false;
            }
            try (InputStream in = Files.newInputStream(file)) {
                if (!Arrays.equals(in.readNBytes(MAGIC.length), MAGIC)) {
                    return false;
                }
            }
        }
        return true;
    }

    private Path convert(HistoryArgument history, @Nullable String format) throws IOException {
        Path file = scratch.path().resolve("history-" + converted++ + ".parquet");
        try (HistorySource source = open(history, format)) {
            source.read(() -> convert(source, file));
        }
        return file;
    }

    private static Path convert(HistorySource source, Path file) throws IOException {
        try (HistoryWriter writer = new ParquetHistoryWriter(file, OpColumns.ALL)) {
            for (int split = 0; split < source.splits().size(); split++) {
                try (SliceReader reader = source.open(split, ColumnGroup.all(), BadRowHandler.REJECT)) {
                    for (HistorySlice slice = reader.next(); slice != null; slice = reader.next()) {
                        writer.write(slice);
                    }
                }
            }
            source.checkUnchanged();
            writer.finish();
        }
        return file;
    }

    private static HistorySource open(HistoryArgument history, @Nullable String format) throws IOException {
        try {
            return history.open(format);
        } catch (IllegalArgumentException unknownFormat) {
            throw new UsageException(unknownFormat.getMessage(), unknownFormat);
        }
    }
}
