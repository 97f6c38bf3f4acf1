package io.nightjar.jobs.lake;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Files that are whole under their name, also after the power fails. */
final class DurableFiles {

    private static final int ATTEMPTS = 100;

    private DurableFiles() {}

    /** The hidden name beside a file under which it is written. */
    static Path hidden(Path file) {
        return file.resolveSibling("." + file.getFileName() + ".tmp");
    }

    /** A writer that gives up may remove a folder that it sees empty, while we are creating one inside: then try again. */
    static void createFolder(Path folder) {
        for (int attempt = 1; ; attempt++) {
            try {
                Files.createDirectories(folder);
                return;
            } catch (NoSuchFileException removedMeanwhile) {
                if (attempt == ATTEMPTS) {
                    throw LakeException.of("create folder", folder, removedMeanwhile);
                }
            } catch (IOException e) {
                throw LakeException.of("create folder", folder, e);
            }
        }
    }

    static void writeWhole(Path file, String text) {
        createFolder(file.getParent());
        Path hidden = hidden(file);
        try {
            Files.deleteIfExists(hidden);
            try (FileChannel channel =
                    FileChannel.open(hidden, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
        } catch (IOException e) {
            throw LakeException.of("write", file, e);
        }
        publish(hidden, file);
    }

    /** Forces what was written to the disk. */
    static void force(Path file) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        } catch (IOException e) {
            throw LakeException.of("write", file, e);
        }
    }

    /** Gives a file that is on the disk its name. */
    static void publish(Path hidden, Path file) {
        try {
            Files.move(hidden, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw LakeException.of("rename", file, e);
        }
        forceFolder(file.getParent());
    }

    /** Brings the entries of a folder, and of those above it up to another one, to the disk. */
    static void forceFolders(Path folder, Path last) {
        Path current = folder;
        while (!current.equals(last)) {
            forceFolder(current);
            current = current.getParent();
        }
        forceFolder(last);
    }

    private static void forceFolder(Path folder) {
        if (System.getProperty("os.name").startsWith("Windows")) {
            return; // there a folder cannot be opened, and a rename is durable by itself
        }
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            throw LakeException.of("write", folder, e);
        }
    }
}
