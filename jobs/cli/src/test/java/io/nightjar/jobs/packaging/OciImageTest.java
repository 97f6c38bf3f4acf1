package io.nightjar.jobs.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Archives and images have the same bytes at every time and on every machine. */
class OciImageTest {

    @TempDir
    private Path folder;

    @Test
    void anArchiveTellsNeitherWhenNorByWhomItWasMade() throws IOException {
        byte[] first = files("one").zipped();
        byte[] second = files("two").zipped();

        assertThat(second).isEqualTo(first);
        List<String> entries = new ArrayList<>();
        try (TarArchiveInputStream tar =
                new TarArchiveInputStream(new GZIPInputStream(new ByteArrayInputStream(first)))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                entries.add("%o %s".formatted(entry.getMode() & 07777, entry.getName()));
            }
        }
        assertThat(entries).containsExactly("755 a/", "755 a/b/", "1777 tmp/", "755 a/b/run.sh", "644 a/text");
    }

    @Test
    void anImageIsWhatItsDigestsSay() throws IOException, NoSuchAlgorithmException {
        Path image = image("image");

        Map<String, Object> manifest =
                blob(image, (Map<?, ?>) ((List<?>) JsonTree.object(Files.readString(image.resolve("index.json")))
                                .get("manifests"))
                        .get(0));
        Map<String, Object> config = blob(image, (Map<?, ?>) manifest.get("config"));
        assertThat((List<?>) manifest.get("layers")).hasSize(2);
        assertThat(JsonTree.<List<?>>at(config, "rootfs", "diff_ids")).hasSize(2);
        assertThat(JsonTree.<List<?>>at(config, "config", "Entrypoint").get(0)).isEqualTo("/bin/run");
        try (Stream<Path> blobs = Files.list(image.resolve("blobs/sha256"))) {
            for (Path each : blobs.toList()) {
                String digest = HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(each)));
                assertThat(each.getFileName()).hasToString(digest);
            }
        }
        assertThat(Files.readString(image("again").resolve("index.json")))
                .isEqualTo(Files.readString(image.resolve("index.json")));
    }

    private Path image(String name) throws IOException {
        Path image = folder.resolve(name);
        OciImage.begin(image)
                .addLayer(files(name + "-files"))
                .addLayer(new TarArchive().add("etc/passwd", "x:x:1:1\n"))
                .finish("1.0", "amd64", List.of("A=b"), List.of("/bin/run"), List.of());
        return image;
    }

    private static Map<String, Object> blob(Path image, Map<?, ?> descriptor) throws IOException {
        String digest = ((String) descriptor.get("digest")).replace("sha256:", "");
        Path file = image.resolve("blobs/sha256").resolve(digest);
        assertThat(Files.size(file)).isEqualTo(descriptor.get("size"));
        return JsonTree.object(Files.readString(file));
    }

    private TarArchive files(String name) throws IOException {
        Path made = Files.createDirectories(folder.resolve(name));
        Path script = Files.writeString(made.resolve("script"), "#!/bin/sh\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        Files.setLastModifiedTime(script, FileTime.fromMillis(name.hashCode()));
        return new TarArchive()
                .add("a/text", "text\n")
                .add("a/b/run.sh", script)
                .addFolderForAll("tmp");
    }
}
