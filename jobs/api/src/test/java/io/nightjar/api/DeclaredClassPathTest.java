package io.nightjar.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A program with only the declared dependencies of the artifact on its class path. */
class DeclaredClassPathTest {

    /** The program. */
    static final class Program {

        private Program() {}

        public static void main(String[] args) {
            History.Builder builder = History.builder();
            builder.begin(1).write("x", 1).write("y", 1).commit();
            builder.begin(2).read("x", 1).read("y", 1).write("x", 2).commit();
            builder.begin(3).read("x", 1).read("y", 1).write("y", 3).commit();
            System.out.println(Nightjar.check(builder.build(), "rc", "cc", "si", "ser", "PL-3")
                    .explanation());
        }
    }

    @Test
    void noEngineNoDatabaseAndNoCommandLineAreNeeded() throws IOException, InterruptedException {
        String declared;
        try (InputStream file = DeclaredClassPathTest.class.getResourceAsStream("/declared-class-path")) {
            assumeTrue(file != null, "the build did not write the class path");
            declared = new String(file.readAllBytes(), StandardCharsets.UTF_8).strip();
        }
        assertThat(declared).doesNotContain("flink", "duckdb", "picocli", "jline", "junit", "h2-");

        String classes = Path.of("target/classes").toAbsolutePath() + ":"
                + Path.of("target/test-classes").toAbsolutePath();
        Process run = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-cp",
                        classes + ":" + declared,
                        Program.class.getName())
                .redirectErrorStream(true)
                .start();
        String out = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(run.waitFor()).as(out).isZero();
        assertThat(out).contains("snapshot-isolation holds").contains("serializable violated");
    }
}
