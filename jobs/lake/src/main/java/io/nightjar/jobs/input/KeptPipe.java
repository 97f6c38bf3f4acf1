package io.nightjar.jobs.input;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import io.nightjar.jobs.lake.LakeException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Copies a pipe into a file, as long as the disk has space. */
final class KeptPipe {

    private static final int BUFFER_BYTES = 1 << 20;

    /** Free space that remains for other files on the same disk. */
    private static final long RESERVED_BYTES = 64L << 20;

    /** Number of bytes written between two checks of the free space. */
    private static final long SPACE_CHECK_BYTES = 32L << 20;

    private KeptPipe() {}

    /** Returns the number of bytes read from a named pipe; waits for a writer. */
    static long keep(String name, Path pipe, Path copy, LongConsumer onKept) throws IOException {
        try (InputStream in = Files.newInputStream(pipe)) {
            return keep(name, in, copy, onKept);
        } catch (AccessDeniedException denied) {
            throw new MalformedHistoryException(
                    InputLocation.file(name),
                    InputError.of("may not be read").advise("check the permissions of the file"),
                    denied);
        } catch (NoSuchFileException gone) {
            throw new MalformedHistoryException(
                    InputLocation.file(name), InputError.of("no such file or directory"), gone);
        }
    }

    static long keep(String name, InputStream pipe, Path copy, LongConsumer onKept) throws IOException {
        CRC32C checksum = new CRC32C();
        byte[] buffer = new byte[BUFFER_BYTES];
        long bytes = 0;
        long nextSpaceCheck = 0;
        Path folder = requireNonNull(copy.getParent());
        try (OutputStream out = Files.newOutputStream(copy)) {
            for (int count = read(name, pipe, buffer); count >= 0; count = read(name, pipe, buffer)) {
                if (bytes >= nextSpaceCheck) {
                    checkFreeSpace(name, folder, bytes);
                    nextSpaceCheck = bytes + SPACE_CHECK_BYTES;
                }
                write(name, out, buffer, count, folder);
                checksum.update(buffer, 0, count);
                bytes += count;
                onKept.accept(count);
            }
        }
        // A run recognizes its input by the time of its last change, among others: the same content gets the same time.
        Files.setLastModifiedTime(copy, FileTime.fromMillis(checksum.getValue()));
        return bytes;
    }

    private static int read(String name, InputStream pipe, byte[] buffer) {
        try {
            return pipe.read(buffer);
        } catch (IOException failed) {
            throw new MalformedHistoryException(
                    InputLocation.file(name),
                    InputError.of("cannot be read").with("reason=" + failed.getMessage()),
                    failed);
        }
    }

    private static void write(String name, OutputStream out, byte[] buffer, int count, Path folder) {
        try {
            out.write(buffer, 0, count);
        } catch (IOException failed) {
            throw noFreeSpace(name, folder, "reason=" + failed.getMessage(), failed);
        }
    }

    private static void checkFreeSpace(String name, Path folder, long keptBytes) throws IOException {
        long free = Files.getFileStore(folder).getUsableSpace();
        if (free < RESERVED_BYTES) {
            throw noFreeSpace(name, folder, "keptBytes=" + keptBytes + " freeBytes=" + free, null);
        }
    }

    private static LakeException noFreeSpace(String name, Path folder, String why, @Nullable IOException cause) {
        return LakeException.at(
                name,
                "no space to retain the input of a pipe: folder=" + folder.getParent() + " " + why
                        + "; free some, set TMPDIR to a larger disk, or give a file",
                cause);
    }
}
