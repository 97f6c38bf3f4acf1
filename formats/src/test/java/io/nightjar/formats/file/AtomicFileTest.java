package io.nightjar.formats.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file exists completely or not at all, and files of killed processes are removed. */
class AtomicFileTest {

    @TempDir
    private Path folder;

    @Test
    void aFileAppearsWhenItIsPublished() throws IOException {
        Path file = folder.resolve("a.txt");
        try (AtomicFile hidden = new AtomicFile(file)) {
            write(hidden, "all of it");
            assertThat(file).doesNotExist();

            hidden.publish();
        }

        assertThat(file).hasContent("all of it");
        assertThat(names()).containsExactly("a.txt");
    }

    @Test
    void aFileThatIsNotPublishedLeavesNothing() throws IOException {
        try (AtomicFile hidden = new AtomicFile(folder.resolve("a.txt"))) {
            write(hidden, "half of");
        }

        assertThat(names()).isEmpty();
    }

    @Test
    void filesOfDeadProcessAreRemovedWhenNextFileStarts() throws IOException {
        Files.writeString(folder.resolve(".b.parquet.0123abcd.part"), "half of");

        AtomicFile.write(folder.resolve("a.txt"), new byte[1]);

        assertThat(names()).containsExactly("a.txt");
    }

    @Test
    void openFileOfLiveProcessRemains() throws IOException {
        try (AtomicFile first = new AtomicFile(folder.resolve("a.txt"));
                AtomicFile second = new AtomicFile(folder.resolve("a.txt"))) {
            write(first, "first");
            write(second, "second");
            first.publish();
            assertThat(folder.resolve("a.txt")).hasContent("first");
            second.publish();
        }

        assertThat(folder.resolve("a.txt")).hasContent("second");
    }

    @Test
    void hiddenFilesOfOthersStay() throws IOException {
        List<String> foreign = List.of(".bashrc", ".a.part", ".a.txt.zzzzzzzz.part", "b.0123abcd.part");
        for (String name : foreign) {
            Files.writeString(folder.resolve(name), "theirs");
        }

        AtomicFile.write(folder.resolve("a.txt"), new byte[1]);

        assertThat(names()).containsAll(foreign);
    }

    @Test
    void aLinkStaysALink() throws IOException {
        Path file = Files.writeString(folder.resolve("a.txt"), "before");
        Path link = Files.createSymbolicLink(folder.resolve("link.txt"), file);

        AtomicFile.write(link, "after".getBytes(StandardCharsets.UTF_8));

        assertThat(link).isSymbolicLink();
        assertThat(file).hasContent("after");
    }

    @Test
    void devicesAreWrittenToAndNotReplaced() throws IOException {
        Path device = Path.of("/dev/null");

        AtomicFile.write(device, new byte[] {1});

        assertThat(AtomicFile.isStream(device)).isTrue();
        assertThat(Files.isRegularFile(device)).isFalse();
    }

    private static void write(AtomicFile hidden, String text) throws IOException {
        try (OutputStream out = hidden.open()) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
