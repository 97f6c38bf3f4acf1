package io.nightjar.jobs.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.jobs.cli.LauncherOptions.Given;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The decisions of the launcher without Java: which checks are short, and the default options of a JVM. */
class LauncherTest {

    private static final Path LAUNCHER = Path.of("..", "..", "nightjar");
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
        assertThat(isShort("watch", "small.parquet", "--until-end")).isTrue();
        assertThat(isShort("watch", "--until-end", "half.parquet", "small.parquet"))
                .isTrue();

        assertThat(isShort("check", "large.parquet")).isFalse();
        assertThat(isShort("watch", "--until-end", "large.parquet")).isFalse();
        assertThat(isShort("check", "half.parquet", "other half.parquet")).isFalse();
        assertThat(isShort("check", "small.parquet", "large.parquet")).isFalse();
    }

    @Test
    void longCommandsAreNotShort() throws IOException, InterruptedException {
        file("small.parquet", 1);
        file("line\n1000 small.jsonl", 1);
        Files.createDirectory(folder.resolve("recorded"));

        assertThat(isShort()).isFalse();
        assertThat(isShort("check")).isFalse();
        assertThat(isShort("watch", "small.parquet")).isFalse();
        assertThat(isShort("watch", "-", "--until-end")).isFalse();
        assertThat(isShort("watch", "recorded", "--until-end")).isFalse();
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

    @Test
    void launcherAgreesWithJava() throws IOException, InterruptedException {
        int cores = Integer.parseInt(run("getconf _NPROCESSORS_CONF", "").strip());
        long machine = 24L << 30;

        assertThat(defaults("check"))
                .containsExactlyElementsOf(LauncherOptions.options(Given.on(List.of("check")), machine, cores));
        assertThat(LauncherOptions.options(Given.on(List.of("record", "--memory", "288m")), machine, cores))
                .startsWith(defaults("record").toArray(String[]::new));
    }

    @Test
    void everyFlagHasItsMeasureInADecision() throws IOException {
        StringBuilder decisions = new StringBuilder();
        try (Stream<Path> files = Files.list(Path.of("..", "..", "docs", "decisions"))) {
            for (Path file : files.toList()) {
                decisions.append(Files.readString(file));
            }
        }
        String flags = Files.readString(LAUNCHER)
                + Files.readString(Path.of("src/main/java/io/nightjar/jobs/cli/LauncherOptions.java"));
        Set<String> names = new TreeSet<>();
        Matcher flag = Pattern.compile("-XX:[+-]?(\\w+)").matcher(flags);
        while (flag.find()) {
            names.add(flag.group(1).replaceFirst("^Tier4.*Threshold$", "Tier4…Threshold"));
        }
        assertThat(names).hasSizeGreaterThan(10);
        assertThat(names).allSatisfy(name -> assertThat(decisions).contains(name));
    }

    private List<String> defaults(String command) throws IOException, InterruptedException {
        String output = run(
                function("collector") + function("ask_for_options") + constants()
                        + "ask_for_options \"$@\"; echo $options\n",
                command);
        return List.of(output.strip().split(" "));
    }

    private static String constants() throws IOException {
        return Pattern.compile("^(SERIAL_GC|RECORD_HEAP)=[^ \n]+", Pattern.MULTILINE)
                .matcher(Files.readString(LAUNCHER))
                .results()
                .map(found -> found.group() + "\n")
                .collect(Collectors.joining());
    }

    private static String function(String name) throws IOException {
        Matcher function = Pattern.compile("^" + name + "\\(\\) \\{.*?^}\n", Pattern.DOTALL | Pattern.MULTILINE)
                .matcher(Files.readString(LAUNCHER));
        assertThat(function.find()).isTrue();
        return function.group();
    }

    private boolean isShort(String... arguments) throws IOException, InterruptedException {
        String output = run(
                "SHORT_KB=" + LIMIT_KB + "\n" + function("is_short")
                        + "if is_short \"$@\"; then echo yes; else echo no; fi\n",
                arguments);
        assertThat(output).isIn("yes\n", "no\n");
        return output.equals("yes\n");
    }

    private String run(String script, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("bash", "-c", "set -euo pipefail\n" + script, "nightjar"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return output;
    }
}
