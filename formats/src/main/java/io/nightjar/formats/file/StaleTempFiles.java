package io.nightjar.formats.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Hidden files of killed processes; removed when the next file is started in the same folder. */
final class StaleTempFiles {

    static final String EXTENSION = ".part";

    private static final Pattern HIDDEN = Pattern.compile("\\..+\\.[0-9a-f]{8}\\.part");

    /**
     * Hidden files of this process. Where locks belong to processes, closing any channel of a file releases its lock,
     * so these files must not be opened again.
     */
    private static final Set<Path> OF_THIS_PROCESS = ConcurrentHashMap.newKeySet();

    private StaleTempFiles() {}

    /** Creates and locks a hidden file; returns null if another process removed it as stale before it was locked. */
    static @Nullable FileChannel lockNew(Path hidden) throws IOException {
        OF_THIS_PROCESS.add(hidden);
        FileChannel channel = FileChannel.open(hidden, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null && Files.exists(hidden)) {
                return channel;
            }
        } catch (IOException noLocksThere) {
            return channel; // no other process can lock the file there either
        }
        channel.close();
        OF_THIS_PROCESS.remove(hidden);
        return null;
    }

    /** Removes the entry of a hidden file that was deleted or renamed. */
    static void forget(Path hidden) {
        OF_THIS_PROCESS.remove(hidden);
    }

    /** Removes the files of killed processes from a folder; files that cannot be removed are ignored. */
    static void remove(@Nullable Path folder) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, StaleTempFiles::isHidden)) {
            for (Path file : files) {
                if (!OF_THIS_PROCESS.contains(file) && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                    removeIfOfTheDead(file);
                }
            }
        } catch (IOException | DirectoryIteratorException notOurs) {
            return;
        }
    }

    private static boolean isHidden(Path file) {
        return HIDDEN.matcher(file.getFileName().toString()).matches();
    }

    private static void removeIfOfTheDead(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            if (channel.tryLock() != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException notOurs) {
            return; // locked by another process, or already removed
        }
    }
}
