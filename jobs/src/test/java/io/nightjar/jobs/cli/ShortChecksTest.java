package io.nightjar.jobs.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which command lines the launcher takes for short, so that the JVM's first compiler will do. */
class ShortChecksTest {

    private static final Path LAUNCHER = Path.of("..", "nightjar");
    private static final int LIMIT_KB = 64;

    @TempDir
    private Path folder;

    @Test
    void checksOfSmallFilesAreShort() throws IOException, InterruptedException {
        file("small.parquet", 1);
        file("also small.jsonl", 20);
        file("large.parquet", 2 * LIMIT_KB);
        file("half.parquet", LIMIT_KB / 2 + 8);
        file("other half.parquet", LIMIT_KB / 2 + 8);
        file("line\n1000 small.jsonl", 1);
        Files.createDirectory(folder.resolve("recorded"));

        assertThat(isShort("check", "small.parquet", "--level", "si")).isTrue();
        assertThat(isShort("check", "--json", "small.parquet", "also small.jsonl"))
                .isTrue();
        assertThat(isShort("check", "half.parquet")).isTrue();
        assertThat(isShort("check", "small.parquet", "--lake", "recorded")).isTrue();

        assertThat(isShort("check", "large.parquet")).isFalse();
        assertThat(isShort("check", "half.parquet", "other half.parquet")).isFalse();
        assertThat(isShort("check", "small.parquet", "large.parquet")).isFalse();
    }

    @Test
    void whatMayTakeLongIsNot() throws IOException, InterruptedException {
        file("small.parquet", 1);
        file("line\n1000 small.jsonl", 1);
        Files.createDirectory(folder.resolve("recorded"));

        assertThat(isShort()).isFalse();
        assertThat(isShort("check")).isFalse();
        assertThat(isShort("watch", "small.parquet")).isFalse();
        assertThat(isShort("check", "nowhere.parquet")).isFalse();
        assertThat(isShort("check", "small.parquet", "recorded")).isFalse();
        assertThat(isShort("check", "small.parquet", "-")).isFalse();
        assertThat(isShort("check", "small.parquet", "/dev/stdin")).isFalse();
        assertThat(isShort("check", "small.parquet", "--budget", "1h")).isFalse();
        assertThat(isShort("check", "--component-budget=1h", "small.parquet")).isFalse();
        assertThat(isShort("check", "--cross-check", "small.parquet")).isFalse();
        assertThat(isShort("check", "line\n1000 small.jsonl")).isFalse();
    }

    private void file(String name, int kilobytes) throws IOException {
        Files.write(folder.resolve(name), new byte[kilobytes << 10]);
    }

    private boolean isShort(String... arguments) throws IOException, InterruptedException {
        Matcher function = Pattern.compile("^is_short\\(\\) \\{.*?^}\n", Pattern.DOTALL | Pattern.MULTILINE)
                .matcher(Files.readString(LAUNCHER));
        assertThat(function.find()).isTrue();
        String script = "set -euo pipefail\nSHORT_KB=" + LIMIT_KB + "\n" + function.group()
                + "if is_short \"$@\"; then echo yes; else echo no; fi\n";
        List<String> command = new ArrayList<>(List.of("bash", "-c", script, "nightjar"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(said).isIn("yes\n", "no\n");
        return said.equals("yes\n");
    }
}
