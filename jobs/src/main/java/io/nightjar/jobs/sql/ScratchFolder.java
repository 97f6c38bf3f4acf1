package io.nightjar.jobs.sql;

import io.nightjar.jobs.lake.LakeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder for what a session needs for a while. It goes away with the session, also when the process is interrupted. */
final class ScratchFolder implements AutoCloseable {

    private final Path path;
    private final Thread remover;

    private ScratchFolder(Path path) {
        this.path = path;
        this.remover = new Thread(this::remove, "remove-scratch");
    }

    static ScratchFolder create() {
        try {
            ScratchFolder folder = new ScratchFolder(Files.createTempDirectory("nightjar-sql-"));
            Runtime.getRuntime().addShutdownHook(folder.remover);
            return folder;
        } catch (IOException e) {
            throw new LakeException("cannot create a temporary folder: reason=" + e.getMessage(), e);
        }
    }

    Path path() {
        return path;
    }

    private void remove() {
        if (!Files.exists(path)) {
            return;
        }
        try (Stream<Path> paths = Files.walk(path)) {
            List<Path> deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
            for (Path each : deepestFirst) {
                Files.deleteIfExists(each);
            }
        } catch (IOException | UncheckedIOException e) {
            throw new LakeException("[" + path + "] cannot remove temporary files: reason=" + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        remove();
        try {
            Runtime.getRuntime().removeShutdownHook(remover);
        } catch (IllegalStateException isShuttingDown) {
            return; // the hook runs anyway and finds nothing
        }
    }
}
