package io.nightjar.jobs.packaging;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.time.LocalDateTime;
import java.util.Base64;
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
            Root-Is-Purelib: false
            Tag: %s
            """;

    private final ZipOutputStream zip;
    private final StringBuilder record = new StringBuilder(); // a line for each file: name, digest, size

    private PythonWheel(OutputStream to) {
        this.zip = new ZipOutputStream(to, StandardCharsets.UTF_8);
    }

    /** Returns the name that pip requires of the file. */
    public static String fileName(String version, Platform platform) {
        return "nightjar-" + version + "-" + tag(platform) + ".whl";
    }

    private static String tag(Platform platform) {
        return "py3-none-" + platform.python();
    }

    /**
     * Writes the archive; the stream stays open.
     *
     * @param files content by name in the archive, the license among them
     */
    public static void write(String version, Platform platform, TarArchive files, OutputStream to) throws IOException {
        String folder = infoFolder(version);
        files.add(folder + "METADATA", metadata(version)).add(folder + "WHEEL", WHEEL.formatted(tag(platform)));
        PythonWheel wheel = new PythonWheel(to);
        for (String name : files.names()) {
            wheel.add(name, files);
        }
        wheel.begin(folder + "RECORD");
        wheel.zip.write((wheel.record + folder + "RECORD,,\n").getBytes(StandardCharsets.UTF_8));
        wheel.zip.closeEntry();
        wheel.zip.finish();
    }

    /** Returns the folder of the metadata, where a license belongs, too. */
    public static String infoFolder(String version) {
        return "nightjar-" + version + ".dist-info/";
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

    private void add(String name, TarArchive files) throws IOException {
        MessageDigest digest = Digests.of("SHA-256");
        begin(name);
        long size = files.writeFile(name, new DigestOutputStream(zip, digest));
        zip.closeEntry();
        String encoded = Base64.getUrlEncoder().withoutPadding().encodeToString(digest.digest());
        record.append("%s,sha256=%s,%d\n".formatted(name, encoded, size));
    }

    private void begin(String name) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        entry.setTimeLocal(TIME);
        zip.putNextEntry(entry);
    }
}
