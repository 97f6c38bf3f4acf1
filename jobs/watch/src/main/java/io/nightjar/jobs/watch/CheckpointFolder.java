package io.nightjar.jobs.watch;

import io.nightjar.jobs.UsageException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;
import org.jspecify.annotations.Nullable;

/** The folder of {@code --checkpoint}, from which a killed watch resumes. */
final class CheckpointFolder implements AutoCloseable {

    /*
     * Layout.
     *
     *   in-use       locked while a watch runs
     *   checkpoint   replaced as a whole
     *   base-N       state of the online check
     *   chapters-N   results of checked segments
     *   log/         reports, of changes of verdicts and of bad rows, between two checkpoints (TaskLog)
     *   rows/        the kept rows, without --archive
     *   evidence/    rows of findings that are not kept in rows/
     *
     * All these end with the CRC32C of their content, as a long. Parquet files have checksums already.
     */

    private static final String CHECKPOINT = "checkpoint";
    private static final String BASE = "base-";
    private static final String SEGMENTS = "chapters-";
    private static final int BUFFER = 1 << 16;

    private final Path folder;
    private final FileChannel lock;

    private CheckpointFolder(Path folder, FileChannel lock) {
        this.folder = folder;
        this.lock = lock;
    }

    /** @throws UsageException if another watch uses the folder, or it is a file */
    static CheckpointFolder open(Path folder) throws IOException {
        RowArchive.createFolder(folder, "checkpoint");
        FileChannel channel =
                FileChannel.open(folder.resolve("in-use"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock taken = null;
        try {
            taken = channel.tryLock();
        } catch (OverlappingFileLockException bySelf) {
            taken = null;
        }
        if (taken == null) {
            channel.close();
            throw new UsageException("another watch uses this checkpoint: checkpoint=" + folder);
        }
        return new CheckpointFolder(folder, channel);
    }

    Path path() {
        return folder;
    }

    Path rows() {
        return folder.resolve("rows");
    }

    Path log() {
        return folder.resolve("log");
    }

    Path evidence() {
        return folder.resolve("evidence");
    }

    /** Reads the checkpoint; returns null if none exists. */
    @Nullable
    Checkpoint read() throws IOException {
        if (!Files.exists(folder.resolve(CHECKPOINT))) {
            return null;
        }
        try (DataInputStream in = open(CHECKPOINT)) {
            return Checkpoint.read(in);
        }
    }

    /** Replaces the checkpoint, and removes files that it does not refer to. */
    void write(Checkpoint checkpoint) throws IOException {
        replace(CHECKPOINT, checkpoint::write);
        removeOld(BASE, checkpoint.state().base());
        removeOld(SEGMENTS, checkpoint.segments());
    }

    private void replace(String name, Writer writer) throws IOException {
        Path fresh = folder.resolve("." + name);
        try (FileChannel file = FileChannel.open(
                fresh, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            CheckedOutputStream summed = new CheckedOutputStream(
                    new BufferedOutputStream(Channels.newOutputStream(file), BUFFER), new CRC32C());
            DataOutputStream out = new DataOutputStream(summed);
            writer.write(out);
            out.writeLong(summed.getChecksum().getValue());
            out.flush();
            file.force(true);
        }
        Files.move(fresh, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Writer of a numbered file of a checkpoint. */
    @FunctionalInterface
    interface Writer {
        void write(DataOutputStream out) throws IOException;
    }

    void writeBase(int number, Writer writer) throws IOException {
        replace(BASE + number, writer);
    }

    DataInputStream openBase(int number) throws IOException {
        return open(BASE + number);
    }

    void writeSegments(int number, Writer writer) throws IOException {
        replace(SEGMENTS + number, writer);
    }

    DataInputStream openSegments(int number) throws IOException {
        return open(SEGMENTS + number);
    }

    private DataInputStream open(String name) throws IOException {
        expectSum(name);
        return new DataInputStream(new BufferedInputStream(Files.newInputStream(folder.resolve(name)), BUFFER));
    }

    private void expectSum(String name) throws IOException {
        Path file = folder.resolve(name);
        try (CheckedInputStream summed = new CheckedInputStream(
                        new BufferedInputStream(Files.newInputStream(file), BUFFER), new CRC32C());
                DataInputStream in = new DataInputStream(summed)) {
            in.skipNBytes(Math.max(0, Files.size(file) - Long.BYTES));
            long sum = summed.getChecksum().getValue();
            if (in.readLong() != sum) {
                throw CheckpointException.damaged(folder, name);
            }
        } catch (EOFException | NoSuchFileException cut) {
            throw CheckpointException.damaged(folder, name);
        }
    }

    private void removeOld(String kind, int number) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, kind + "*")) {
            for (Path file : files) {
                if (!file.getFileName().toString().equals(kind + number)) {
                    Files.delete(file);
                }
            }
        }
    }

    // ---------------------------------------------------------------- the end

    /** Removes all files after the end of the watch; the next watch with this folder starts anew. */
    void clear() throws IOException {
        Files.deleteIfExists(folder.resolve(CHECKPOINT));
        removeOld(BASE, 0);
        removeOld(SEGMENTS, 0);
        for (String others : List.of("rows", "evidence", "log", "state", "job", "initial")) {
            removeTree(folder.resolve(others));
        }
    }

    private static void removeTree(Path top) throws IOException {
        if (!Files.exists(top)) {
            return;
        }
        try (Stream<Path> files = Files.walk(top)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
