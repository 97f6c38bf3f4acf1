package io.nightjar.jobs.cli;

import io.nightjar.jobs.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.text.ParseException;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;

/** The JDK's profile of the process until it is closed; the file appears when it is complete. */
final class FlightRecording implements AutoCloseable {

    private final Recording recording;
    private final Path file;
    private final Path partial;

    private FlightRecording(Recording recording, Path file, Path partial) {
        this.recording = recording;
        this.file = file;
        this.partial = partial;
    }

    /** Begins one; null for none. */
    static @Nullable FlightRecording into(@Nullable Path file) throws IOException {
        if (file == null) {
            return null;
        }
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder) || Files.isDirectory(file)) {
            throw new UsageException("a profile cannot be written there: file=" + file);
        }
        try {
            Recording recording = new Recording(Configuration.getConfiguration("profile"));
            recording.start();
            return new FlightRecording(recording, file, folder.resolve("." + file.getFileName() + ".part"));
        } catch (ParseException | NoClassDefFoundError notThere) {
            throw new UsageException("this JVM records no profiles; take a JDK: reason=" + notThere, notThere);
        }
    }

    @Override
    public void close() throws IOException {
        try (recording) {
            recording.stop();
            recording.dump(partial);
            Files.move(partial, file, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(partial);
        }
    }
}
