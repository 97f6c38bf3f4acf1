package io.nightjar.jobs.packaging;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.LocalDateTime;
import java.util.Base64;
import java.util.Map;
import java.util.SortedMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A Python package as a wheel, the archive that pip installs: its files, their metadata and their digests. */
public final class PythonWheel {

    private static final LocalDateTime TIME =
            LocalDateTime.of(1980, 1, 1, 0, 0); // the first that a zip archive can state

    private static final String WHEEL =
            """
            Wheel-Version: 1.0
            Generator: nightjar
            Root-Is-Purelib: true
            Tag: py3-none-any
            """;

    private final ZipOutputStream zip;
    private final StringBuilder record = new StringBuilder(); // a line for each file: name, digest, size

    private PythonWheel(OutputStream to) {
        this.zip = new ZipOutputStream(to, StandardCharsets.UTF_8);
    }

    /** Returns the name that pip requires of the file. */
    public static String fileName(String version) {
        return "nightjar-" + version + "-py3-none-any.whl";
    }

    /**
     * Writes the archive; the stream stays open.
     *
     * @param files content by name in the archive
     */
    public static void write(String version, SortedMap<String, byte[]> files, byte[] license, OutputStream to)
            throws IOException {
        PythonWheel wheel = new PythonWheel(to);
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            wheel.add(file.getKey(), file.getValue());
        }
        String folder = "nightjar-" + version + ".dist-info/";
        wheel.add(folder + "LICENSE", license);
        wheel.add(folder + "METADATA", utf8(metadata(version)));
        wheel.add(folder + "WHEEL", utf8(WHEEL));
        wheel.put(folder + "RECORD", utf8(wheel.record + folder + "RECORD,,\n"));
        wheel.zip.finish();
    }

    /** Returns the metadata that pyproject.toml declares for other builds. */
    static String metadata(String version) {
        return """
                Metadata-Version: 2.1
                Name: nightjar
                Version: %s
                Summary: Checks transaction histories for isolation anomalies
                Home-page: https://nightjar.io
                License: Apache-2.0
                Requires-Python: >=3.9
                Provides-Extra: pandas
                Requires-Dist: pandas; extra == "pandas"
                """
                .formatted(version);
    }

    private void add(String name, byte[] bytes) throws IOException {
        put(name, bytes);
        MessageDigest digest = Digests.of("SHA-256");
        String encoded = Base64.getUrlEncoder().withoutPadding().encodeToString(digest.digest(bytes));
        record.append("%s,sha256=%s,%d\n".formatted(name, encoded, bytes.length));
    }

    private void put(String name, byte[] bytes) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        entry.setTimeLocal(TIME);
        zip.putNextEntry(entry);
        zip.write(bytes);
        zip.closeEntry();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
