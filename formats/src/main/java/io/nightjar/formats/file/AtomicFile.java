package io.nightjar.formats.file;

import static java.util.Objects.requireNonNull;

import com.github.luben.zstd.ZstdOutputStream;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.UUID;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A file written under a hidden name in the target folder and renamed once it is complete and synced to the disk. All
 * output files are written by this class.
 *
 * <p>Standard output, pipes and devices cannot be hidden: readers receive their bytes immediately. An object of a store
 * is collected in a file on this machine, and appears as a whole when it is published.
 */
public final class AtomicFile implements AutoCloseable {

    /*
     * A hidden file is locked from its creation until its rename. An unlocked hidden file is therefore left by a killed
     * process, and StaleTempFiles removes it.
     */

    private static final List<Path> STANDARD_OUTPUT =
            List.of(Path.of("-"), Path.of("/dev/stdout"), Path.of("/dev/fd/1"), Path.of("/proc/self/fd/1"));
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int ATTEMPTS = 100;

    private final Path target;
    private final boolean isStream;
    private final boolean isRemote;
    private final boolean isForced;
    private @Nullable Path hidden;
    private @Nullable FileChannel
            channel; // open on the hidden file, with its lock; or on an unnamed file that buffers a stream
    private boolean isOnDisk;
    private boolean isDone;

    /** Creates a file that is durable, even after a power failure, once it is published. */
    public AtomicFile(Path target) {
        this(target, true);
    }

    private AtomicFile(Path target, boolean isForced) {
        this.target = target;
        this.isStream = isStream(target);
        this.isRemote = Addresses.isRemote(target);
        this.isForced = isForced;
    }

    /** Writes a small file without a sync; it can be written again and need not survive a power failure. */
    public static void write(Path target, byte[] bytes) throws IOException {
        try (AtomicFile file = new AtomicFile(target, false)) {
            try (OutputStream out = file.openPlain()) {
                out.write(bytes);
            }
            file.publish();
        }
    }

    /**
     * Returns whether written bytes cannot be withdrawn: the target is standard output under any name, a pipe or a
     * device.
     */
    public static boolean isStream(Path target) {
        return isStandardOutput(target)
                || !Addresses.isRemote(target)
                        && Files.exists(target)
                        && !Files.isRegularFile(target)
                        && !Files.isDirectory(target);
    }

    /** Returns whether the path means standard output. */
    public static boolean isStandardOutput(Path target) {
        return STANDARD_OUTPUT.contains(target);
    }

    /**
     * Opens an unnamed file, read and written while it is open, in the folder of another file, or in the temporary
     * folder if that is a stream or an object of a store.
     */
    public static FileChannel openNameless(Path sibling) throws IOException {
        String name = ".nightjar." + suffix();
        Path file = isStream(sibling) || Addresses.isRemote(sibling)
                ? Path.of(System.getProperty("java.io.tmpdir"), name)
                : sibling.toAbsolutePath().resolveSibling(name);
        return FileChannel.open(
                file,
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE);
    }

    /** Opens a stream to the hidden file; compressed if the target's name ends in {@code .gz} or {@code .zst}. */
    public OutputStream open() throws IOException {
        String name = String.valueOf(target.getFileName());
        OutputStream out = openPlain();
        try {
            if (name.endsWith(".gz")) {
                return new GZIPOutputStream(out, BUFFER_BYTES);
            }
            if (name.endsWith(".zst")) {
                ZstdLibrary.load();
                ZstdOutputStream zstd = new ZstdOutputStream(out);
                zstd.setChecksum(true);
                return zstd;
            }
            return out;
        } catch (IOException e) {
            out.close();
            throw e;
        }
    }

    /** Opens a stream to the hidden file, never compressed. */
    public OutputStream openPlain() throws IOException {
        OutputStream out;
        if (isStandardOutput(target)) {
            out = new StayingOpen(new FileOutputStream(FileDescriptor.out));
        } else if (isStream) {
            out = new FileOutputStream(target.toFile());
        } else {
            channel = isRemote ? openNameless(target) : newHidden();
            out = new StayingOpen(Channels.newOutputStream(channel));
        }
        return new BufferedOutputStream(out, BUFFER_BYTES);
    }

    /** Opens a channel to the hidden file, not compressed, for random access; closed with this object. */
    public FileChannel openChannel() throws IOException {
        channel = isStream || isRemote ? openNameless(target) : newHidden();
        return channel;
    }

    /**
     * Renames the file to its target and replaces an existing one; all data must have been written, and streams closed.
     */
    public void publish() throws IOException {
        if (isStream || isRemote) {
            copyToStream();
        } else {
            complete();
            rename();
        }
        isDone = true;
        close();
    }

    /** Syncs the file to the disk, still hidden; all data must have been written. */
    public void complete() throws IOException {
        if (isForced && !isStream && !isRemote && !isOnDisk) {
            requireNonNull(channel).force(true);
            isOnDisk = true;
        }
    }

    /** Returns the path of the file until it is published; null if it is a stream, or is not yet open. */
    public @Nullable Path hiddenPath() {
        return hidden;
    }

    private void rename() throws IOException {
        Path resolvedTarget = resolvedTarget();
        try {
            Files.move(hidden, resolvedTarget, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(hidden, resolvedTarget, StandardCopyOption.REPLACE_EXISTING);
        }
        if (isForced) {
            forceFolder(resolvedTarget.getParent());
        }
    }

    /** Syncs the entries of a folder to the disk. */
    public static void forceFolder(@Nullable Path folder) throws IOException {
        boolean isDurable = System.getProperty("os.name").startsWith("Windows") // its renames are, without a sync
                || folder != null && Addresses.isRemote(folder);
        if (isDurable) {
            return;
        }
        try (FileChannel entries = FileChannel.open(folder, StandardOpenOption.READ)) {
            entries.force(true);
        }
    }

    private void copyToStream() throws IOException {
        if (channel == null) {
            return; // a stream already has all bytes
        }
        channel.position(0);
        try (OutputStream out = openTarget()) {
            ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
            while (channel.read(buffer) >= 0) {
                out.write(buffer.array(), 0, buffer.position());
                buffer.clear();
            }
        }
    }

    private OutputStream openTarget() throws IOException {
        if (isRemote) {
            return Files.newOutputStream(target);
        }
        return isStandardOutput(target)
                ? new StayingOpen(new FileOutputStream(FileDescriptor.out))
                : new FileOutputStream(target.toFile());
    }

    /** Returns the path of the target: the target of a link, which is retained. */
    private Path resolvedTarget() throws IOException {
        return Files.exists(target) ? target.toRealPath() : target.toAbsolutePath();
    }

    private FileChannel newHidden() throws IOException {
        checkTarget();
        Path resolvedTarget = resolvedTarget();
        StaleTempFiles.remove(resolvedTarget.getParent());
        for (int attempt = 1; ; attempt++) {
            hidden = resolvedTarget.resolveSibling(
                    "." + resolvedTarget.getFileName() + "." + suffix() + StaleTempFiles.EXTENSION);
            FileChannel locked = StaleTempFiles.lockNew(hidden);
            if (locked != null) {
                hidden.toFile().deleteOnExit(); // an interrupted process also removes its file
                return locked;
            }
            if (attempt == ATTEMPTS) {
                throw new IOException("others remove the file while it is begun: file=" + hidden);
            }
        }
    }

    private void checkTarget() throws IOException {
        Path directory = target.toAbsolutePath().getParent();
        if (directory != null && !Files.isDirectory(directory)) {
            throw new NoSuchFileException(directory.toString(), null, "no such directory");
        }
        if (Files.isDirectory(target)) {
            throw new FileSystemException(target.toString(), null, "is a directory; give a file");
        }
    }

    private static String suffix() {
        return UUID.randomUUID().toString().substring(0, 8);
    }

    /** Closes the file; removes it unless {@link #publish} was called. */
    @Override
    public void close() throws IOException {
        try {
            if (!isDone && hidden != null) {
                Files.deleteIfExists(hidden);
            }
        } finally {
            if (channel != null) {
                channel.close();
                channel = null;
            }
            if (hidden != null) {
                StaleTempFiles.forget(hidden);
            }
        }
    }

    /** A stream whose {@code close} does not close the underlying stream. */
    private static final class StayingOpen extends FilterOutputStream {

        StayingOpen(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
        }

        @Override
        public void close() throws IOException {
            flush();
        }
    }
}
