package io.nightjar.jobs.watch;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.UsageException;
import io.nightjar.pipeline.online.OnlineFinding.Change;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The folder of {@code --checkpoint}: what a watch needs to go on after it was killed. */
final class CheckpointFolder implements AutoCloseable {

    /*
     *   in-use       locked while a watch goes on
     *   checkpoint   replaced as a whole
     *   changes      every change of verdicts so far; what stands behind the checkpoint's length does not count
     *   rows/        the kept rows, unless --archive says where
     */

    private final Path folder;
    private final FileChannel lock;
    private FileChannel changes;
    private DataOutputStream changesOut;

    private CheckpointFolder(Path folder, FileChannel lock) {
        this.folder = folder;
        this.lock = lock;
    }

    /** @throws UsageException if another watch has it */
    static CheckpointFolder open(Path folder) throws IOException {
        Files.createDirectories(folder);
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
            throw new UsageException("another watch goes on with this checkpoint: checkpoint=" + folder);
        }
        return new CheckpointFolder(folder, channel);
    }

    Path rows() {
        return folder.resolve("rows");
    }

    /** Null if there is none. */
    Checkpoint read() throws IOException {
        Path file = folder.resolve("checkpoint");
        if (!Files.exists(file)) {
            return null;
        }
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            return Checkpoint.read(in);
        }
    }

    void write(Checkpoint checkpoint) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        checkpoint.write(new DataOutputStream(bytes));
        Path fresh = folder.resolve(".checkpoint");
        try (FileChannel file = FileChannel.open(
                fresh, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes.toByteArray());
            while (buffer.hasRemaining()) {
                file.write(buffer);
            }
            file.force(true);
        }
        Files.move(fresh, folder.resolve("checkpoint"), StandardCopyOption.ATOMIC_MOVE);
    }

    // ---------------------------------------------------------------- changes

    /** Opens the log of changes, cut to a length; tells those that are in it. */
    void openChanges(long length, Consumer<VerdictChange> to) throws IOException {
        changes = FileChannel.open(
                folder.resolve("changes"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        changes.truncate(length);
        changes.position(0);
        DataInputStream in = new DataInputStream(new BufferedInputStream(Channels.newInputStream(changes)));
        for (long read = 0; read < length; ) {
            int size = in.readInt();
            to.accept(readChange(in));
            read += Integer.BYTES + size;
        }
        changes.position(length);
        changesOut = new DataOutputStream(new BufferedOutputStream(Channels.newOutputStream(changes), 1 << 16));
    }

    void add(VerdictChange change) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            writeChange(change, new DataOutputStream(bytes));
            changesOut.writeInt(bytes.size());
            bytes.writeTo(changesOut);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** How long the log is, all of it on the disk. */
    long flushChanges() throws IOException {
        changesOut.flush();
        changes.force(false);
        return changes.position();
    }

    private static void writeChange(VerdictChange change, DataOutputStream out) throws IOException {
        Checkpoint.writeText(out, change.runId());
        Checkpoint.writeText(out, change.historyId());
        out.writeLong(change.seq());
        Checkpoint.writeText(out, change.anomalyId());
        out.writeByte(change.change().ordinal());
        Checkpoint.writeText(out, change.anomaly().name());
        Checkpoint.writeText(out, change.level().name());
        out.writeLong(change.txnId());
        Checkpoint.writeText(out, change.key());
        Checkpoint.writeText(out, change.expected());
        Checkpoint.writeText(out, change.observed());
        out.writeLong(change.arrivedMicros());
        out.writeLong(change.changedMicros());
        out.writeLong(change.flips());
        out.writeBoolean(change.isWrong());
    }

    private static VerdictChange readChange(DataInputStream in) throws IOException {
        return new VerdictChange(
                Checkpoint.readText(in),
                Checkpoint.readText(in),
                in.readLong(),
                Checkpoint.readText(in),
                Change.values()[in.readByte()],
                Anomaly.valueOf(Checkpoint.readText(in)),
                IsolationLevel.valueOf(Checkpoint.readText(in)),
                in.readLong(),
                Checkpoint.readText(in),
                Checkpoint.readText(in),
                Checkpoint.readText(in),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readBoolean());
    }

    // ---------------------------------------------------------------- the end

    /** The watch has come to its end: the next one begins anew. */
    void clear() throws IOException {
        Files.deleteIfExists(folder.resolve("checkpoint"));
        changes.truncate(0);
    }

    /** Removes whatever others keep here, too. */
    void remove() throws IOException {
        Files.deleteIfExists(folder.resolve("checkpoint"));
        for (String others : List.of("rows", "log", "state", "job")) {
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
