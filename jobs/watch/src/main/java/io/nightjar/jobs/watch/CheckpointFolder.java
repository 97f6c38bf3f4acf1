package io.nightjar.jobs.watch;

import io.nightjar.jobs.UsageException;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
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
     *   changes-N    changes of verdicts between two checkpoints; valid up to the number that the checkpoint states
     *   base-N       state of the online check
     *   chapters-N   results of checked segments
     *   rows/        the kept rows, without --archive
     *   evidence/    rows of findings that are not kept in rows/
     *
     * All these end with the CRC32C of their content, as a long. Parquet files have checksums already.
     */

    private static final String CHECKPOINT = "checkpoint";
    private static final String BASE = "base-";
    private static final String SEGMENTS = "chapters-";
    private static final String CHANGES = "changes-";
    private static final int BUFFER = 1 << 16;
    private static final int MAX_BYTES_OF_CHANGES = 1 << 22; // in memory

    private final Path folder;
    private final FileChannel lock;
    private final ByteWriter changes = new ByteWriter(1 << 8); // since the last file
    private int lastChanges; // number of the last file
    private boolean recordsChanges;

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
        removeOld(BASE, checkpoint.files().base());
        removeOld(SEGMENTS, checkpoint.files().segments());
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

    // ---------------------------------------------------------------- changes

    /** Replays the changes up to a file, removes later files, and records changes from now on. */
    void openChanges(int lastFile, ReportedFindings to) throws IOException {
        for (int number = 1; number <= lastFile; number++) {
            try (DataInputStream in = open(CHANGES + number)) {
                TaskLog.readChanges(Checkpoint.readBytes(in), to::changed);
            }
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, CHANGES + "*")) {
            for (Path file : files) {
                if (Integer.parseInt(file.getFileName().toString().substring(CHANGES.length())) > lastFile) {
                    Files.delete(file);
                }
            }
        }
        lastChanges = lastFile;
        recordsChanges = true;
    }

    void add(VerdictChange change) {
        if (recordsChanges) {
            TaskLog.putChange(change.change(), change.finding(), change.isWrong(), change.changedMicros(), changes);
        }
        if (changes.size() >= MAX_BYTES_OF_CHANGES) {
            try {
                flushChanges();
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    }

    /** Writes the changes since the last call into another file, if any; returns the number of the last file. */
    int flushChanges() throws IOException {
        if (changes.size() > 0) {
            replace(CHANGES + ++lastChanges, out -> Checkpoint.writeBytes(out, changes));
            changes.clear();
        }
        return lastChanges;
    }

    // ---------------------------------------------------------------- the end

    /** Removes all files after the end of the watch; the next watch with this folder starts anew. */
    void clear() throws IOException {
        Files.deleteIfExists(folder.resolve(CHECKPOINT));
        removeOld(BASE, 0);
        removeOld(SEGMENTS, 0);
        removeOld(CHANGES, 0);
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
