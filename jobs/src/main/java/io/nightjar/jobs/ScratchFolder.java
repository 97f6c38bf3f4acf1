package io.nightjar.jobs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder for what is needed for a while. It goes away with its owner, also when the process is interrupted. */
public final class ScratchFolder implements AutoCloseable {

    private static final int ATTEMPTS_AT_END = 20;

    private final Path path;
    private final Thread remover;

    private ScratchFolder(Path path) {
        this.path = path;
        this.remover = new Thread(this::removeAtEnd, "remove-scratch");
    }

    /** @param prefix what its name begins with */
    public static ScratchFolder create(Path parent, String prefix) {
        try {
            ScratchFolder folder = new ScratchFolder(Files.createTempDirectory(parent, prefix));
            Runtime.getRuntime().addShutdownHook(folder.remover);
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "[" + parent + "] cannot create a temporary folder: reason=" + e.getMessage(), e);
        }
    }

    public Path path() {
        return path;
    }

    private void remove() {
        try {
            deleteAll();
        } catch (UncheckedIOException e) {
            throw failure(e.getCause());
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private UncheckedIOException failure(IOException e) {
        return new UncheckedIOException("[" + path + "] cannot remove temporary files: reason=" + e.getMessage(), e);
    }

    /** The process is ending, and whoever uses the folder may not have noticed yet. */
    private void removeAtEnd() {
        for (int attempt = 0; attempt < ATTEMPTS_AT_END; attempt++) {
            try {
                deleteAll();
            } catch (IOException | UncheckedIOException stillInUse) {
                continue;
            }
        }
    }

    private void deleteAll() throws IOException {
        if (!Files.exists(path)) {
            return;
        }
        try (Stream<Path> paths = Files.walk(path)) {
            List<Path> deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
            for (Path each : deepestFirst) {
                Files.deleteIfExists(each);
            }
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
