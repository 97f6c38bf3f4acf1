package io.nightjar.jobs.artifact;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes a file under a hidden name beside its own and then renames it, so that nobody ever reads half of one. */
public final class WholeFile {

    private WholeFile() {}

    /** Folders that are missing are made; an older file of that name is replaced. */
    public static void write(Path file, byte[] bytes) throws IOException {
        Path absolute = file.toAbsolutePath();
        Path hidden = absolute.resolveSibling("." + absolute.getFileName() + ".tmp");
        try {
            Files.createDirectories(absolute.getParent());
            try {
                Files.write(hidden, bytes);
                Files.move(hidden, absolute, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(hidden);
            }
        } catch (IOException failed) {
            throw new IOException(
                    "[" + file + "] cannot write: reason=" + reason(failed)
                            + "; free some room or choose another place",
                    failed);
        }
    }

    /** These have nothing but a path for a message. */
    private static String reason(IOException failed) {
        if (failed instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (failed instanceof NoSuchFileException) {
            return "no file can be made there";
        }
        if (failed instanceof FileAlreadyExistsException) {
            return "a file stands where a folder is needed";
        }
        return failed.getMessage();
    }
}
