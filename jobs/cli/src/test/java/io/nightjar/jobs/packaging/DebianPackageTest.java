package io.nightjar.jobs.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.ar.ArArchiveEntry;
import org.apache.commons.compress.archivers.ar.ArArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Packages for dpkg: their parts, and what dpkg reads from them. */
class DebianPackageTest {

    @TempDir
    private Path folder;

    @Test
    void packageHasThePartsOfTheFormat() throws IOException {
        byte[] bytes = write();
        Map<String, byte[]> parts = new LinkedHashMap<>();
        try (ArArchiveInputStream in = new ArArchiveInputStream(new ByteArrayInputStream(bytes))) {
            for (ArArchiveEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                parts.put(entry.getName(), in.readAllBytes());
            }
        }

        assertThat(parts.keySet()).containsExactly("debian-binary", "control.tar.gz", "data.tar.gz");
        assertThat(parts.get("debian-binary")).asString().isEqualTo("2.0\n");
        assertThat(texts(parts.get("control.tar.gz")))
                .containsEntry(
                        "./control",
                        "Package: owl\nVersion: 1\nArchitecture: all\nMaintainer: M <m@example.com>\n"
                                + "Installed-Size: 1\nDescription: night bird\n It hoots.\n")
                .containsEntry("./md5sums", "b1946ac92492d2347c6235b4d2611184  usr/lib/owl/text\n")
                .containsEntry("./prerm", "#!/bin/sh\n");
        assertThat(texts(parts.get("data.tar.gz")))
                .containsEntry("./usr/lib/owl/text", "hello\n")
                .containsEntry("./usr/bin/owl", "-> ../lib/owl/text");
        assertThat(write()).isEqualTo(bytes);
    }

    @Test
    void dpkgReadsThePackage() throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/dpkg-deb")), "dpkg-deb is not installed");
        Path file = Files.write(folder.resolve("owl_1_all.deb"), write());

        assertThat(dpkg("--field", file.toString(), "Package", "Installed-Size"))
                .isEqualTo("Package: owl\nInstalled-Size: 1\n");
        assertThat(dpkg("--contents", file.toString()))
                .contains("root/root", "./usr/bin/owl -> ../lib/owl/text", "./usr/lib/owl/text");
    }

    private byte[] write() throws IOException {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("Package", "owl");
        fields.put("Version", "1");
        fields.put("Architecture", "all");
        fields.put("Maintainer", "M <m@example.com>");
        fields.put("Description", "night bird\n It hoots.");
        TarArchive files =
                new TarArchive().add("./usr/lib/owl/text", "hello\n").addLink("./usr/bin/owl", "../lib/owl/text");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = bytes) {
            DebianPackage.write(fields, Map.of("prerm", "#!/bin/sh\n"), files, folder, out);
        }
        return bytes.toByteArray();
    }

    /** Returns the text of each file and the target of each link in a compressed archive. */
    private static Map<String, String> texts(byte[] zipped) throws IOException {
        Map<String, String> texts = new LinkedHashMap<>();
        try (TarArchiveInputStream tar =
                new TarArchiveInputStream(new GZIPInputStream(new ByteArrayInputStream(zipped)))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                if (entry.isSymbolicLink()) {
                    texts.put(entry.getName(), "-> " + entry.getLinkName());
                } else if (!entry.isDirectory()) {
                    texts.put(entry.getName(), new String(tar.readAllBytes(), StandardCharsets.UTF_8));
                }
            }
        }
        return texts;
    }

    private static String dpkg(String... arguments) throws IOException, InterruptedException {
        String[] command = new String[arguments.length + 1];
        command[0] = "dpkg-deb";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        return printed;
    }
}
