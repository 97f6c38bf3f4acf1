package io.nightjar.formats.file;

import com.github.luben.zstd.ZstdOutputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import java.util.zip.GZIPOutputStream;

/** A file that is written under a hidden name beside its own, and appears only when it is complete. */
public final class HiddenFile implements AutoCloseable {

    private final Path target;
    private final Path hidden;
    private boolean isDone;

    public HiddenFile(Path target) {
        this.target = target;
        String suffix = UUID.randomUUID().toString().substring(0, 8);
        this.hidden = target.resolveSibling("." + target.getFileName() + "." + suffix + ".part");
        hidden.toFile().deleteOnExit(); // an interrupted process leaves nothing behind either
    }

    /** Where to write until {@link #publish}. */
    public Path path() {
        return hidden;
    }

    /** A stream to the hidden file; compressed if the target's name ends in {@code .gz} or {@code .zst}. */
    public OutputStream open() throws IOException {
        checkTarget();
        String name = target.getFileName().toString();
        OutputStream out = new BufferedOutputStream(Files.newOutputStream(hidden), 1 << 16);
        try {
            if (name.endsWith(".gz")) {
                return new GZIPOutputStream(out, 1 << 16);
            }
            if (name.endsWith(".zst")) {
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

    /** A channel to the hidden file, not compressed. */
    public FileChannel openChannel() throws IOException {
        checkTarget();
        return FileChannel.open(hidden, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
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

    /** Gives the file its name, over any file that has it; everything must have been written and closed. */
    public void publish() throws IOException {
        try {
            Files.move(hidden, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(hidden, target, StandardCopyOption.REPLACE_EXISTING);
        }
        isDone = true;
    }

    /** Without a {@link #publish} before, removes what was written. */
    @Override
    public void close() throws IOException {
        if (!isDone) {
            Files.deleteIfExists(hidden);
        }
    }
}
