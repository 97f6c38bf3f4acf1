package io.nightjar.formats.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Loading a native library leaves no file in the folder for temporary files, and removes older copies. */
class ZstdLibraryTest {

    @TempDir
    private Path temporary;

    @Test
    void copiesGoAndForeignFilesStay() throws Exception {
        FileTime longAgo = FileTime.fromMillis(0);
        Files.setLastModifiedTime(Files.createFile(temporary.resolve("libzstd-jni-1.5.7-15123.so")), longAgo);
        Files.setLastModifiedTime(Files.createFile(temporary.resolve("libother.so")), longAgo);
        Path torn = Files.createDirectory(temporary.resolve("nightjar-zstd-1"));
        Files.createFile(torn.resolve("libzstd-jni-1.5.7-15124.so"));
        Files.setLastModifiedTime(torn, longAgo);
        Files.createFile(temporary.resolve("libzstd-jni-1.5.7-15125.so")); // another process may be loading it

        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.io.tmpdir=" + temporary,
                        "-XX:-UsePerfData",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Loader.class.getName())
                .inheritIO()
                .start();

        assertThat(process.waitFor()).isZero();
        assertThat(names()).isEqualTo(List.of("libother.so", "libzstd-jni-1.5.7-15125.so"));
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(temporary)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    /** Loads the library and is then killed without running shutdown hooks. */
    static final class Loader {

        private Loader() {}

        public static void main(String[] args) {
            ZstdLibrary.load();
            Runtime.getRuntime().halt(0);
        }
    }
}
