package io.nightjar.jobs.watch;

import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.Column;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.ValueType;
import io.nightjar.formats.source.Histories;
import io.nightjar.jobs.ScratchFolder;
import io.nightjar.jobs.UsageException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * All rows that were taken, as a history of Parquet files: a folder that the user named, or a scratch folder.
 *
 * <p>A part appears when it is complete.
 */
final class KeptRows implements AutoCloseable {

    private static final long OPS_IN_PART = 8_000_000;

    private final Path folder;
    private final ScratchFolder scratch; // null if the user named a folder
    private HistoryWriter writer;
    private int nextPart;
    private long opsInPart;
    private long rowsInPart;
    private long rowCount;
    private long bytes;
    private ValueType valueType = ValueType.NONE;

    private KeptRows(Path folder, ScratchFolder scratch) {
        this.folder = folder;
        this.scratch = scratch;
    }

    static KeptRows inScratch(Path parent) throws IOException {
        ScratchFolder scratch = ScratchFolder.create(parent, "nightjar-watch-");
        return new KeptRows(Files.createDirectory(scratch.path().resolve("rows")), scratch);
    }

    /** @throws UsageException if there are files already */
    static KeptRows inFolder(Path folder) throws IOException {
        Files.createDirectories(folder);
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, "[!_.]*")) {
            if (entries.iterator().hasNext()) {
                throw new UsageException(
                        "folder is not empty: archive=" + folder + "; rows of another watch must not mix with these");
            }
        }
        return new KeptRows(folder, null);
    }

    /** Goes on with what was kept before: parts behind the first ones are removed. */
    static KeptRows goOn(Path folder, int parts) throws IOException {
        Files.createDirectories(folder);
        KeptRows rows = new KeptRows(folder, null);
        List<Path> superfluous = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                superfluous.add(entry);
            }
        }
        for (int number = 0; number < parts; number++) {
            superfluous.remove(rows.part(number));
            rows.bytes += Files.size(rows.part(number));
        }
        for (Path file : superfluous) {
            if (file.getFileName().toString().contains("part-")) {
                Files.delete(file);
            }
        }
        rows.nextPart = parts;
        return rows;
    }

    /** How many parts are complete. */
    int parts() {
        return nextPart;
    }

    /** Reads again what was kept before. */
    void replay(Consumer<HistorySlice> to) throws IOException {
        for (int number = 0; number < nextPart; number++) {
            try (HistorySource source = Histories.open(part(number), null)) {
                for (int split = 0; split < source.splits().size(); split++) {
                    try (SliceReader reader = source.open(split, Column.all(), BadRows.PASS_OVER)) {
                        for (HistorySlice slice = reader.next(); slice != null; slice = reader.next()) {
                            rowCount += slice.txnCount;
                            to.accept(slice);
                        }
                    }
                }
            }
        }
    }

    Path folder() {
        return folder;
    }

    long rowCount() {
        return rowCount;
    }

    /** Bytes of complete parts. */
    long bytes() {
        return bytes;
    }

    void write(HistorySlice slice) throws IOException {
        if (writer == null) {
            writer = Histories.create(part(nextPart), "parquet");
        }
        writer.write(slice);
        valueType = slice.valueType == ValueType.NONE ? valueType : slice.valueType;
        opsInPart += slice.opCount + slice.txnCount;
        rowsInPart += slice.txnCount;
        rowCount += slice.txnCount;
        if (opsInPart >= OPS_IN_PART && valueType != ValueType.NONE) {
            finishPart();
        }
    }

    private Path part(int number) {
        return folder.resolve(String.format(Locale.ROOT, "part-%05d.parquet", number));
    }

    /** Completes the part that is being written. */
    void finishPart() throws IOException {
        if (writer != null && rowsInPart > 0) {
            writer.finish();
            writer.close();
            bytes += Files.size(part(nextPart));
            nextPart++;
            writer = null;
            opsInPart = 0;
            rowsInPart = 0;
        }
    }

    /** All rows that were taken, as a history of this name; the writer's last part is completed. */
    HistorySource open(String name) throws IOException {
        finishPart();
        if (nextPart == 0) { // a history without transactions needs a file all the same
            Path empty = folder.resolve("part-00000.jsonl");
            Files.writeString(empty, "\n");
        }
        return Histories.open(folder, null, name);
    }

    @Override
    public void close() throws IOException {
        if (writer != null) {
            writer.close();
        }
        if (scratch != null) {
            scratch.close();
        }
    }
}
