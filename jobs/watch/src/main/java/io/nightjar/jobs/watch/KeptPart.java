package io.nightjar.jobs.watch;

import io.nightjar.formats.file.Addresses;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistoryWriter;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;

/** A part file of kept rows, with a hidden name until a checkpoint confirms it. */
public final class KeptPart implements AutoCloseable {

    private final String name;
    private final HistoryWriter writer;

    /** @param isPacked whether only this process reads the part; otherwise it is Parquet */
    public KeptPart(Path folder, boolean isPacked) throws IOException {
        this.name = UUID.randomUUID() + (isPacked ? PackedRows.EXTENSION : ".parquet");
        this.writer = PackedRows.createPart(folder.resolve(hidden(name)));
    }

    public void write(HistorySlice slice) throws IOException {
        writer.write(slice);
    }

    /** Completes the part and returns its name. */
    public String finish() throws IOException {
        writer.finish();
        writer.close();
        return name;
    }

    /** Makes a finished part visible. Does nothing if it is visible already. */
    static void show(Path folder, String name) throws IOException {
        Path finished = folder.resolve(hidden(name));
        if (!Files.exists(finished)) {
            return;
        }
        if (Addresses.isInBucket(finished)) {
            Files.copy(finished, shown(folder, name), StandardCopyOption.REPLACE_EXISTING);
            Files.delete(finished);
        } else {
            Files.move(finished, shown(folder, name), StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** Removes parts that no checkpoint confirmed. */
    static void removeHidden(Path folder) throws IOException {
        if (!Files.exists(folder)) { // a folder of a bucket exists while it has objects
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, ".*.{parquet,rows}")) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** Returns the file of a visible part. */
    static Path shown(Path folder, String name) {
        return folder.resolve("part-" + name);
    }

    private static String hidden(String name) {
        return "." + name;
    }

    @Override
    public void close() throws IOException {
        writer.close();
    }
}
