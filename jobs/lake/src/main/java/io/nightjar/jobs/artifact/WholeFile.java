package io.nightjar.jobs.artifact;

import io.nightjar.formats.file.AtomicFile;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Writes small files for people, each as a whole, and explains why one cannot be written. */
public final class WholeFile {

    private WholeFile() {}

    /** Folders that are missing are made; an older file of that name is replaced. */
    public static void write(Path file, byte[] bytes) throws IOException {
        Path absolute = file.toAbsolutePath();
        try {
            Files.createDirectories(absolute.getParent());
            AtomicFile.write(file, bytes);
        } catch (IOException failed) {
            throw new IOException(
                    "[" + file + "] cannot write: reason=" + reason(failed)
                            + "; free disk space or choose another directory",
                    failed);
        }
    }

    /** Returns why a file cannot be written: the message of some exceptions is only a path. */
    public static String reason(IOException failed) {
        if (failed instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (failed instanceof NoSuchFileException) {
            return "no file can be made there";
        }
        if (failed instanceof FileAlreadyExistsException) {
            return "a file has the name of the required folder";
        }
        return String.valueOf(failed.getMessage());
    }
}
