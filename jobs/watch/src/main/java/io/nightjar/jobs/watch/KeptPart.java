package io.nightjar.jobs.watch;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistoryWriter;
import io.nightjar.formats.registry.Histories;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;

/** Rows that a task keeps: a Parquet file with a hidden name until it is confirmed. */
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

    /** Makes a part count that was finished. Does nothing if it does already. */
    static void show(Path folder, String name) throws IOException {
        Path finished = folder.resolve(hidden(name));
        if (Files.exists(finished)) {
            Files.move(finished, shown(folder, name), StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** Removes parts that never came to count. */
    static void removeHidden(Path folder) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, ".*.parquet")) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** The file of a part that counts. */
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
