package io.nightjar.jobs.lake;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.file.Addresses;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The right to write one run, held by one process at a time. The system releases it when the process dies; its file
 * remains then, from which the next holder detects the remains.
 *
 * <p>An object store has no such locks: there, {@code _SUCCESS} is created only if it does not exist, so the first of
 * several processes with one run id wins.
 */
final class RunLock implements AutoCloseable {

    /**
     * The files that this process has open here. Where locks belong to processes, closing any channel of a file
     * releases its lock, so none is opened twice, nor closed while the lock is held.
     */
    private static final Set<Object> OPEN_HERE = openInThisProcess();

    private static final int ATTEMPTS = 100;

    /** Another process may hold a lock for a moment only, to determine whether its owner died. */
    private static final int PATIENCE_MS = 400;

    private static final int PAUSE_MS = 50;

    private final Path path;
    private final @Nullable FileChannel channel; // null in an object store
    private final @Nullable FileChannel proof;
    private final boolean isLeftOver;

    private RunLock(Path path, @Nullable FileChannel channel, @Nullable FileChannel proof, boolean isLeftOver) {
        this.path = path;
        this.channel = channel;
        this.proof = proof;
        this.isLeftOver = isLeftOver;
    }

    /**
     * Returns the set of open runs, stored where all loaders of this class share it: each job in a TaskManager has a
     * separate class loader.
     */
    @SuppressWarnings("unchecked")
    private static Set<Object> openInThisProcess() {
        return (Set<Object>)
                System.getProperties().computeIfAbsent(RunLock.class.getName(), name -> ConcurrentHashMap.newKeySet());
    }

    /** Acquires the lock; returns null if a running process has it. */
    static @Nullable RunLock acquire(Path path) {
        for (int waited = 0; waited < PATIENCE_MS; waited += PAUSE_MS) {
            RunLock lock = acquireAtOnce(path);
            if (lock != null) {
                return lock;
            }
            pause();
        }
        return null;
    }

    /** Tries to acquire the lock without waiting. */
    static @Nullable RunLock acquireAtOnce(Path path) {
        if (Addresses.isRemote(path)) {
            return new RunLock(path, null, null, false);
        }
        IOException last = null;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            try {
                return attempt(path);
            } catch (NoSuchFileException removedMeanwhile) {
                last = removedMeanwhile;
            } catch (
                    FileAlreadyExistsException
                            e) { // the folder existed when it was to be created, and was gone afterwards
                if (Files.isRegularFile(path.getParent())) {
                    throw LakeException.of("lock", path, e);
                }
                last = e;
            } catch (IOException e) {
                throw LakeException.of("lock", path, e);
            }
        }
        Path folder = requireNonNull(path.getParent());
        if (!Files.isDirectory(folder)) {
            throw LakeException.of("create directory", folder, requireNonNull(last));
        }
        throw LakeException.at(path, "cannot lock: attempts=" + ATTEMPTS, last);
    }

    /**
     * Acquires the lock; returns null if another process has it.
     *
     * @throws NoSuchFileException if the holder before removed the file between our opening and our locking it: then
     *     the lock is void
     */
    private static @Nullable RunLock attempt(Path path) throws IOException {
        Files.createDirectories(path.getParent());
        Path opened = path.toAbsolutePath();
        if (!OPEN_HERE.add(opened)) {
            return null;
        }
        FileChannel channel = null;
        FileChannel proof = null;
        boolean isKept = false;
        try {
            channel = FileChannel.open(
                    path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            if (channel.tryLock() == null) {
                return null;
            }
            boolean isLeftOver = channel.size() > 0;
            byte[] token = UUID.randomUUID().toString().getBytes(StandardCharsets.UTF_8);
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(token), 0);
            proof = FileChannel.open(path, StandardOpenOption.READ);
            if (!holds(proof, token)) {
                throw new NoSuchFileException(path.toString());
            }
            isKept = true;
            return new RunLock(path, channel, proof, isLeftOver);
        } finally {
            if (!isKept) {
                try {
                    close(channel);
                    close(proof);
                } finally {
                    OPEN_HERE.remove(opened);
                }
            }
        }
    }

    private static boolean holds(FileChannel file, byte[] token) throws IOException {
        ByteBuffer found = ByteBuffer.allocate(token.length);
        file.read(found, 0);
        return Arrays.equals(found.array(), token);
    }

    private static void close(@Nullable FileChannel channel) throws IOException {
        if (channel != null) {
            channel.close();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LakeException("interrupted while waiting for a lock", e);
        }
    }

    /** Returns the path of its file, which is called like the run. */
    Path path() {
        return path;
    }

    /** Returns whether a previous holder died without releasing the lock. */
    boolean isLeftOver() {
        return isLeftOver;
    }

    @Override
    public void close() {
        if (channel == null) {
            return;
        }
        try {
            giveBack();
        } catch (IOException e) {
            throw LakeException.of("unlock", path, e);
        }
    }

    private void giveBack() throws IOException {
        try {
            Files.deleteIfExists(path);
            Files.deleteIfExists(path.getParent());
        } catch (DirectoryNotEmptyException othersAreLocked) {
            return;
        } finally {
            try {
                close(channel);
                close(proof);
            } finally {
                OPEN_HERE.remove(path.toAbsolutePath());
            }
        }
    }
}
