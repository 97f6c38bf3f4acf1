package io.nightjar.jobs.lake;

import io.nightjar.jobs.UsageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * The right to write one run, held by one process at a time. The system takes it back from a process that died; its file
 * stays behind then, which is how the next holder learns of the remains.
 */
final class RunLock implements AutoCloseable {

    private static final int ATTEMPTS = 100;

    private final Path path;
    private final FileChannel channel;
    private final boolean isLeftOver;

    private RunLock(Path path, FileChannel channel, boolean isLeftOver) {
        this.path = path;
        this.channel = channel;
        this.isLeftOver = isLeftOver;
    }

    static RunLock acquire(Path path, String runId) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            RunLock lock = attempt(path, runId);
            if (lock != null) {
                return lock;
            }
        }
        throw new LakeException("[" + path + "] cannot lock: attempts=" + ATTEMPTS);
    }

    /** Null if the holder before removed the file between our opening and our locking it: then the lock is worth nothing. */
    private static RunLock attempt(Path path, String runId) {
        FileChannel channel = null;
        boolean isKept = false;
        try {
            Files.createDirectories(path.getParent());
            channel = FileChannel.open(
                    path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            if (!isLocked(channel)) {
                throw new UsageException("run is being written by another process: run-id=" + runId
                        + "; wait for it or choose another --run-id");
            }
            boolean isLeftOver = channel.size() > 0;
            String token = UUID.randomUUID().toString();
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(token.getBytes(StandardCharsets.UTF_8)), 0);
            isKept = holds(path, token);
            return isKept ? new RunLock(path, channel, isLeftOver) : null;
        } catch (NoSuchFileException removedMeanwhile) {
            return null;
        } catch (IOException e) {
            throw LakeException.of("lock", path, e);
        } finally {
            if (!isKept) {
                release(channel);
            }
        }
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException heldByThisProcess) {
            return false;
        }
    }

    private static boolean holds(Path path, String token) throws IOException {
        return Files.exists(path) && Files.readString(path).equals(token);
    }

    /** Whether a holder before died without giving the lock back. */
    boolean isLeftOver() {
        return isLeftOver;
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw LakeException.of("unlock", path, e);
        } finally {
            release(channel);
        }
    }

    private static void release(FileChannel channel) {
        if (channel == null) {
            return;
        }
        try {
            channel.close();
        } catch (IOException e) {
            throw new LakeException("cannot release a lock", e);
        }
    }
}
