package io.nightjar.jobs.packaging;

import io.nightjar.jobs.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;
import org.apache.commons.compress.archivers.zip.ZipFile;

/** DuckDB's jar with the native library of one platform: the libraries of all platforms are nine tenths of its size. */
public final class DuckDbJar {

    private static final String NAME = "duckdb_jdbc";
    private static final String LIBRARY = "libduckdb_java.so_";

    private DuckDbJar() {}

    public static boolean is(Path jar) {
        return jar.getFileName().toString().startsWith(NAME);
    }

    /** Copies the jar without the libraries of other platforms; compressed entries are copied as they are. */
    public static void copyFor(Platform platform, Path jar, Path to) throws IOException {
        String wanted = LIBRARY + platform.duckDbSuffix();
        try (ZipFile all = ZipFile.builder().setPath(jar).get();
                ZipArchiveOutputStream copy = new ZipArchiveOutputStream(to)) {
            if (all.getEntry(wanted) == null) {
                throw new UsageException("no library for the platform: platform=" + platform.label() + " jar=" + jar);
            }
            for (ZipArchiveEntry entry : Collections.list(all.getEntriesInPhysicalOrder())) {
                if (!entry.getName().startsWith(LIBRARY) || entry.getName().equals(wanted)) {
                    copy.addRawArchiveEntry(entry, all.getRawInputStream(entry));
                }
            }
        }
    }
}
