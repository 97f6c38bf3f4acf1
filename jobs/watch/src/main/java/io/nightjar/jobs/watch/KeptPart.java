package io.nightjar.jobs.watch;

import io.nightjar.formats.file.Addresses;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.registry.Histories;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;

/** A part file of kept rows: Parquet, with a hidden name until a checkpoint confirms it. */
public final class KeptPart implements AutoCloseable {

    private final String name = UUID.randomUUID().toString();
    private final HistoryWriter writer;

    private KeptPart(Path folder) throws IOException {
        this.writer = Histories.create(folder.resolve(hidden(name)), "parquet");
    }

    public static KeptPart begin(Path folder) throws IOException {
        return new KeptPart(folder);
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
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, ".*.parquet")) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** Returns the file of a visible part. */
    static Path shown(Path folder, String name) {
        return folder.resolve("part-" + name + ".parquet");
    }

    private static String hidden(String name) {
        return "." + name + ".parquet";
    }

    @Override
    public void close() throws IOException {
        writer.close();
    }
}
