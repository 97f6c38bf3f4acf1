package io.nightjar.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScratchFolderTest {

    private static final String PREFIX = "nightjar-probe-";

    @TempDir
    Path parent;

    @Test
    void itGoesWithItsOwner() throws Exception {
        try (ScratchFolder folder = ScratchFolder.create(parent, PREFIX)) {
            Files.createDirectories(folder.path().resolve("a/b"));
            Files.writeString(folder.path().resolve("a/b/c"), "d");
        }
        assertThat(children()).isEmpty();
    }

    @Test
    void whatAKilledProcessLeftGoesWithTheNextFolderOfItsKind() throws Exception {
        Path left;
        try (Probe probe = new Probe(parent)) {
            left = probe.folder;
        }
        assertThat(left.resolve("deep/file")).exists();

        ScratchFolder.create(parent, "nightjar-other-").close();
        assertThat(left.resolve("deep/file")).exists();

        ScratchFolder.create(parent, PREFIX).close();
        assertThat(children()).isEmpty();
    }

    @Test
    void whatALivingProcessUsesStays() throws Exception {
        try (ScratchFolder own = ScratchFolder.create(parent, PREFIX);
                Probe first = new Probe(parent);
                Probe second = new Probe(parent)) {
            ScratchFolder.create(parent, PREFIX).close();

            assertThat(children()).containsExactlyInAnyOrder(own.path(), first.folder, second.folder);
            assertThat(first.folder.resolve("deep/file")).exists();
        }
    }

    @Test
    void unlockedFoldersAreRetained() throws Exception {
        Path strange = Files.createDirectory(parent.resolve(PREFIX + "1"));
        Path link = Files.createSymbolicLink(parent.resolve(PREFIX + "2"), Files.createDirectory(parent.resolve("x")));
        Files.writeString(parent.resolve("x").resolve("in-use"), "");

        ScratchFolder.create(parent, PREFIX).close();

        assertThat(strange).exists();
        assertThat(link.resolve("in-use")).exists();
    }

    private List<Path> children() throws IOException {
        try (Stream<Path> paths = Files.list(parent)) {
            return paths.toList();
        }
    }

    /** Closing kills it. */
    private static final class Probe implements AutoCloseable {

        private final Process process;
        private final Path folder;

        Probe(Path parent) throws IOException {
            process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            ScratchFolderProbe.class.getName(),
                            parent.toString(),
                            PREFIX)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            BufferedReader out = process.inputReader();
            folder = Path.of(out.readLine());
        }

        @Override
        public void close() {
            process.destroyForcibly().onExit().join();
        }
    }
}
