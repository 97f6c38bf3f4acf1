package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tests of the Python package, and the examples of its page, run by a Python with pandas. */
class PythonPackageTest {

    private static final Path PACKAGE =
            Path.of("..", "..", "jobs", "python").toAbsolutePath().normalize();

    /** A Python of the user, and the system's, for which Debian has pandas. */
    private static final List<String> PYTHONS = List.of("python3", "/usr/bin/python3");

    @TempDir
    private Path folder;

    @Test
    void testsOfThePackagePass() throws IOException, InterruptedException {
        String python = pythonWithPandas();

        int code = call(python, "-m", "unittest", "discover", "--verbose", "--start-directory", "tests");

        String printed = Files.readString(folder.resolve("printed"), StandardCharsets.UTF_8);
        assertThat(code).as(printed).isZero();
        assertThat(printed).containsPattern("Ran [1-9][0-9]+ tests").contains("\nOK\n");
        assertThat(printed).contains("test_examples_print_what_the_page_shows", "test_data_frame_file_and_lake_agree");
    }

    private String pythonWithPandas() throws IOException, InterruptedException {
        for (String python : PYTHONS) {
            try {
                if (call(python, "-c", "import pandas") == 0) {
                    return python;
                }
            } catch (IOException notInstalled) {
                continue;
            }
        }
        return abort("python3 with pandas is not installed (Debian: python3-pandas)");
    }

    private int call(String... command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(PACKAGE.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("printed").toFile());
        builder.environment()
                .put(
                        "NIGHTJAR",
                        CommandRun.writeLauncher(folder.resolve("launcher")).toString());
        builder.environment().put("PYTHONPATH", PACKAGE.toString());
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        Process process = builder.start();
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        return process.exitValue();
    }
}
