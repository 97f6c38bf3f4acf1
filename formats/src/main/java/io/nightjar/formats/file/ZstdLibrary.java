package io.nightjar.formats.file;

import com.github.luben.zstd.util.Native;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;

/** Loads the native library of zstd without leaving a copy in the folder for temporary files. */
public final class ZstdLibrary {

    /*
     * The library unpacks itself into a file, which it removes only at a regular end of the process. On systems where a
     * file in use can be unlinked, we remove it immediately. A copy left by a killed process, or by a process that did
     * not remove it, is recognized by its name; copies less than a minute old are retained because a process may be
     * about to load them.
     */

    private static final Pattern COPY = Pattern.compile("libzstd-jni-.*\\.(so|dylib|dll)");
    private static final String FOLDER = "nightjar-zstd-";
    private static final Duration LOADING = Duration.ofMinutes(1);

    private ZstdLibrary() {}

    /** Loads the library on the first call. */
    public static synchronized void load() {
        if (Native.isLoaded()) {
            return;
        }
        File temporary = new File(System.getProperty("java.io.tmpdir"));
        removeLeftovers(temporary);
        File folder = null;
        try {
            folder = Files.createTempDirectory(temporary.toPath(), FOLDER).toFile();
            Native.load(folder);
        } catch (IOException noFolder) {
            Native.load(); // which fails with the library's usual message
        } finally {
            if (folder != null) {
                remove(folder);
            }
        }
    }

    private static void removeLeftovers(File temporary) {
        File[] left = temporary.listFiles(
                (parent, name) -> name.startsWith(FOLDER) || COPY.matcher(name).matches());
        long loading = Instant.now().minus(LOADING).toEpochMilli();
        for (File each : left == null ? new File[0] : left) {
            if (each.lastModified() < loading) {
                remove(each);
            }
        }
    }

    /** Removes a copy, or a folder with one; a file that cannot be removed belongs to another process. */
    private static void remove(File file) {
        File[] copies = Files.isSymbolicLink(file.toPath()) ? null : file.listFiles();
        for (File copy : copies == null ? new File[0] : copies) {
            delete(copy.toPath());
        }
        delete(file.toPath());
    }

    private static void delete(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException inUseOrNotOurs) {
            return;
        }
    }
}
