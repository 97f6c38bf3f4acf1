package io.nightjar.jobs.packaging;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.commons.compress.archivers.ar.ArArchiveEntry;
import org.apache.commons.compress.archivers.ar.ArArchiveOutputStream;

/** A package for {@code dpkg}: an ar archive of the format's version, the control files, and the installed files. */
public final class DebianPackage {

    private static final int PLAIN = 0100644;

    private DebianPackage() {}

    /**
     * Writes a package.
     *
     * @param fields of the control file, in their order, without the installed size, which is added
     * @param scripts of the maintainer, by name: postinst, prerm
     * @param files as below the root, with {@code ./} before each name
     * @param scratch a folder for the compressed files, whose size precedes them in the package
     */
    public static void write(
            Map<String, String> fields, Map<String, String> scripts, TarArchive files, Path scratch, OutputStream to)
            throws IOException {
        StringBuilder control = new StringBuilder();
        fields.forEach(
                (name, value) -> control.append(name).append(": ").append(value).append('\n'));
        control.insert(control.indexOf("Description:"), "Installed-Size: " + ((files.sizeBytes() + 1023) >> 10) + "\n");
        TarArchive controls = new TarArchive().add("./control", control.toString());
        controls.add("./md5sums", files.md5Sums());
        scripts.forEach((name, text) -> controls.addScript("./" + name, text));
        Path data = scratch.resolve("data.tar.gz");
        try (OutputStream out = Files.newOutputStream(data)) {
            files.writeZipped(out);
        }
        ArArchiveOutputStream archive = new ArArchiveOutputStream(to);
        put(archive, "debian-binary", "2.0\n".getBytes(StandardCharsets.US_ASCII));
        put(archive, "control.tar.gz", controls.zipped());
        archive.putArchiveEntry(entry("data.tar.gz", Files.size(data)));
        Files.copy(data, archive);
        archive.closeArchiveEntry();
        archive.finish();
        Files.delete(data);
    }

    private static void put(ArArchiveOutputStream archive, String name, byte[] bytes) throws IOException {
        archive.putArchiveEntry(entry(name, bytes.length));
        archive.write(bytes);
        archive.closeArchiveEntry();
    }

    private static ArArchiveEntry entry(String name, long size) {
        return new ArArchiveEntry(name, size, 0, 0, PLAIN, TarArchive.TIME);
    }
}
