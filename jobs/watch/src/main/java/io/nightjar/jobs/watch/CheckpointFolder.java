package io.nightjar.jobs.watch;

import static java.util.Objects.requireNonNull;

import io.nightjar.jobs.UsageException;
import io.nightjar.pipeline.check.ResultCodec;
import io.nightjar.pipeline.online.OnlineFinding;
import io.nightjar.pipeline.online.OnlineFinding.Change;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
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
     *   changes      every change of verdicts so far; valid up to the length that the checkpoint states
     *   base-N       state of the online check
     *   chapters-N   results of checked segments
     *   rows/        the kept rows, without --archive
     *   evidence/    rows of findings that are not kept in rows/
     *
     * The checkpoint, base-N and chapters-N end with the CRC32C of their content, as a long; the checkpoint contains
     * that of the changes. Parquet files have checksums already.
     */

    private static final String CHECKPOINT = "checkpoint";
    private static final String BASE = "base-";
    private static final String SEGMENTS = "chapters-";
    private static final int BUFFER = 1 << 16;

    private final Path folder;
    private final FileChannel lock;
    private final ByteWriter entry = new ByteWriter(1 << 8);
    private final CRC32C sumOfChanges = new CRC32C();
    private @Nullable FileChannel changes;
    private @Nullable DataOutputStream changesOut;

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
                throw new CorruptCheckpointException(folder, name);
            }
        } catch (EOFException | NoSuchFileException cut) {
            throw new CorruptCheckpointException(folder, name);
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

    /** Opens the log of changes at the length that a checkpoint states, and replays its changes. */
    void openChanges(Checkpoint.Changes expected, ReportedFindings to) throws IOException {
        long length = expected.bytes();
        FileChannel log = FileChannel.open(
                folder.resolve("changes"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        changes = log;
        log.truncate(length);
        log.position(0);
        checkChanges(log, expected);
        log.position(0);
        DataInputStream in = new DataInputStream(new BufferedInputStream(Channels.newInputStream(log), BUFFER));
        for (long read = 0; read < length; ) {
            ByteReader entry = Checkpoint.readBytes(in);
            read += Integer.BYTES + entry.size();
            Change change = Change.values()[entry.getByte()];
            boolean isWrong = entry.getByte() == 1;
            long at = entry.getVarint();
            to.changed(change, ResultCodec.decode(OnlineFinding.class, entry), isWrong, at);
        }
        log.position(length);
        changesOut = new DataOutputStream(
                new CheckedOutputStream(new BufferedOutputStream(Channels.newOutputStream(log), BUFFER), sumOfChanges));
    }

    private void checkChanges(FileChannel log, Checkpoint.Changes expected) throws IOException {
        InputStream summed =
                new CheckedInputStream(new BufferedInputStream(Channels.newInputStream(log), BUFFER), sumOfChanges);
        try {
            summed.skipNBytes(expected.bytes());
        } catch (EOFException cut) {
            throw new CorruptCheckpointException(folder, "changes");
        }
        if (sumOfChanges.getValue() != expected.sum()) {
            throw new CorruptCheckpointException(folder, "changes");
        }
    }

    void add(VerdictChange change) {
        if (changesOut == null) {
            return; // the change is replayed from this log
        }
        try {
            entry.clear();
            TaskLog.putChange(change.change(), change.finding(), change.isWrong(), change.changedMicros(), entry);
            Checkpoint.writeBytes(changesOut, entry);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Writes the log of changes, which has been opened, to the disk. */
    Checkpoint.Changes flushChanges(long count) throws IOException {
        FileChannel log = requireNonNull(changes);
        requireNonNull(changesOut).flush();
        log.force(false);
        return new Checkpoint.Changes(count, log.position(), sumOfChanges.getValue());
    }

    // ---------------------------------------------------------------- the end

    /** Removes all files after the end of the watch; the next watch with this folder starts anew. */
    void clear() throws IOException {
        Files.deleteIfExists(folder.resolve(CHECKPOINT));
        removeOld(BASE, 0);
        removeOld(SEGMENTS, 0);
        for (String others : List.of("changes", "rows", "evidence", "log", "state", "job", "initial")) {
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
        if (changes != null) {
            changes.close();
        }
        lock.close();
    }
}
