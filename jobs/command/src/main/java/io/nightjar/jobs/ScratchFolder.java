package io.nightjar.jobs;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A temporary folder. It is deleted with its owner, also when the process is interrupted; the folder of a killed
 * process is removed by the next process that creates a folder of that kind.
 */
public final class ScratchFolder implements AutoCloseable {

    /*
     * A file in the folder is locked as long as the process lives; the system releases the lock however it ends. If a
     * process gets the lock, the owner is dead, and the process removes the folder, the locked file last. Between
     * creating that file and locking it, its owner may be mistaken for dead: then it does not get the lock, or finds
     * the file gone, and creates another folder. A folder without such a file is not removed.
     */

    private static final String LOCK = "in-use";

    /**
     * On systems whose locks belong to processes, closing any channel of a file releases its lock, so our own folders
     * are skipped.
     */
    private static final Set<Path> OF_THIS_PROCESS = ConcurrentHashMap.newKeySet();

    private static final int ATTEMPTS = 100;
    private static final int ATTEMPTS_AT_END = 20;

    private final Path path;
    private final FileChannel lock;
    private final Thread remover;

    private ScratchFolder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
        this.remover = new Thread(this::removeAtEnd, "remove-scratch");
    }

    /** @param prefix common prefix of the names of folders of this kind */
    public static ScratchFolder create(Path parent, String prefix) {
        try {
            removeThoseOfTheDead(parent, prefix);
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                Path path = Files.createTempDirectory(parent, prefix);
                FileChannel lock = lockNew(path);
                if (lock != null) {
                    ScratchFolder folder = new ScratchFolder(path, lock);
                    Runtime.getRuntime().addShutdownHook(folder.remover);
                    return folder;
                }
            }
            throw new IOException("others remove it: attempts=" + ATTEMPTS);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "[" + parent + "] cannot create a temporary folder: reason=" + e.getMessage(), e);
        }
    }

    /** Creates the lock file and locks it; returns null if another process mistook the owner for dead. */
    private static @Nullable FileChannel lockNew(Path folder) throws IOException {
        OF_THIS_PROCESS.add(key(folder));
        Path file = folder.resolve(LOCK);
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        if (channel.tryLock() != null && Files.exists(file)) {
            return channel;
        }
        channel.close();
        OF_THIS_PROCESS.remove(key(folder));
        return null;
    }

    private static void removeThoseOfTheDead(Path parent, String prefix) throws IOException {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, prefix + "*")) {
            for (Path folder : folders) {
                if (Files.isRegularFile(folder.resolve(LOCK), LinkOption.NOFOLLOW_LINKS)
                        && Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                        && !OF_THIS_PROCESS.contains(key(folder))) {
                    removeIfOfTheDead(folder);
                }
            }
        }
    }

    private static void removeIfOfTheDead(Path folder) {
        try (FileChannel channel = FileChannel.open(folder.resolve(LOCK), StandardOpenOption.WRITE)) {
            if (channel.tryLock() != null) {
                deleteAll(folder);
            }
        } catch (IOException | UncheckedIOException notOurs) {
            // of another process, or just being removed: it may stay
        }
    }

    private static Path key(Path folder) {
        return folder.toAbsolutePath().normalize();
    }

    public Path path() {
        return path;
    }

    private void remove() {
        try {
            deleteAll(path);
            unlock();
        } catch (UncheckedIOException e) {
            throw failure(requireNonNull(e.getCause()));
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private UncheckedIOException failure(IOException e) {
        return new UncheckedIOException("[" + path + "] cannot remove temporary files: reason=" + e.getMessage(), e);
    }

    private void unlock() throws IOException {
        lock.close();
        OF_THIS_PROCESS.remove(key(path));
    }

    /** Removes the folder while the process is ending; users of the folder may not have noticed that yet. */
    private void removeAtEnd() {
        for (int attempt = 0; attempt < ATTEMPTS_AT_END; attempt++) {
            try {
                deleteAll(path);
            } catch (IOException | UncheckedIOException stillInUse) {
                continue;
            }
        }
    }

    private static void deleteAll(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        Path lock = folder.resolve(LOCK);
        try (Stream<Path> paths = Files.walk(folder)) {
            List<Path> deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
            for (Path each : deepestFirst) {
                if (!each.equals(lock) && !each.equals(folder)) {
                    Files.deleteIfExists(each);
                }
            }
        }
        Files.deleteIfExists(lock);
        Files.deleteIfExists(folder);
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
