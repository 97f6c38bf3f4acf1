package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.jobs.cli.LauncherOptions.Given;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The JVM options of the launcher for a command line. */
class LauncherOptionsTest {

    private static final long MACHINE = 24L << 30;
    private static final long MIB = 1L << 20;

    @Test
    void withoutABoundTheHeapIsAShareOfTheMachine() {
        assertThat(options("check", "h.parquet", "--engine", "local"))
                .containsExactly("-XX:MaxRAMPercentage=45", "-XX:+UseSerialGC");
    }

    @Test
    void theHeapIsWhatTheJvmLeavesOfMemory() {
        assertThat(options("check", "--memory", "1g", "h"))
                .containsExactly("-Xmx845414k", "-XX:+UseSerialGC", "-Dnightjar.memory=1073741824");
        assertThat(options("check", "h", "--memory=1g"))
                .containsExactly("-Xmx845414k", "-XX:+UseSerialGC", "-Dnightjar.memory=1073741824");
        assertThat(options("check", "h", "--memory", "1024MiB"))
                .containsExactly("-Xmx845414k", "-XX:+UseSerialGC", "-Dnightjar.memory=1073741824");
    }

    @Test
    void collectionsAreSharedByThreadsWhereCoresAreManyAndTheHeapIsLarge() {
        for (String memory : List.of("1m", "1g", "2g", "64g")) {
            for (int cores : new int[] {1, 3, 4, 64}) {
                boolean isLarge = memory.equals("2g") || memory.equals("64g");
                assertThat(collector(cores, "check", "h", "--memory", memory))
                        .isEqualTo(isLarge && cores >= 4 ? "-XX:+UseParallelGC" : "-XX:+UseSerialGC");
                assertThat(collector(cores, "check", "h", "--engine", "flink", "--memory", memory))
                        .isEqualTo("-XX:+UseSerialGC");
            }
        }
        assertThat(collector(4, "check", "h", "--engine", "local")).isEqualTo("-XX:+UseParallelGC");
    }

    private static String collector(int cores, String... arguments) {
        List<String> options = LauncherOptions.options(Given.on(List.of(arguments)), MACHINE, cores);
        List<String> collectors =
                options.stream().filter(option -> option.endsWith("GC")).toList();
        assertThat(collectors).hasSize(1);
        return collectors.get(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "lots", "-1g", "4 g", "0"})
    void aSizeThatCannotBeReadIsLeftToTheCommand(String size) {
        assertThat(options("check", "h", "--memory", size))
                .containsExactly("-XX:MaxRAMPercentage=45", "-XX:+UseSerialGC");
    }

    @Test
    void aHeapIsNotLargerThanTheMachine() {
        assertThat(options("check", "h", "--memory", "9999t"))
                .isEqualTo(options("check", "h", "--memory", (MACHINE >> 20) + "m"));
    }

    @Test
    void aHeapIsNotTooSmallToStartWith() {
        assertThat(options("check", "h", "--memory", "1k"))
                .containsExactly("-Xmx65536k", "-XX:+UseSerialGC", "-Dnightjar.memory=1024");
    }

    @Test
    void flinkInsideTakesItsBuffersOfTheSameBound() {
        for (long bound = 400; bound < 8_000; bound += 37) {
            for (int cores = 1; cores <= 64; cores *= 2) {
                List<String> options = LauncherOptions.options(
                        Given.on(List.of("check", "--engine=flink", "--memory", bound + "m")), MACHINE, cores);
                long offHeap = number(options, "-Dnightjar.flink.offheap=");
                long heap = number(options, "-Xmx") * 1024;
                assertThat(heap + offHeap + bound * MIB / 10 + 120 * MIB).isLessThanOrEqualTo(bound * MIB);
                assertThat(offHeap).isBetween(88 * MIB, (48 + 88L * cores) * MIB);
                assertThat(heap).isGreaterThanOrEqualTo(80 * MIB);
            }
        }
    }

    @Test
    void flinkElsewhereTakesNothingHere() {
        assertThat(options("check", "h", "--engine", "flink", "--cluster", "host:8081", "--memory", "1g"))
                .containsExactly("-Xmx845414k", "-XX:+UseSerialGC", "-Dnightjar.memory=1073741824");
    }

    @Test
    void argumentsAfterTwoDashesAreNoOptions() {
        assertThat(Given.on(List.of("check", "--", "--memory", "1g")).memory()).isNull();
    }

    /** The launcher sees budgets of the command line; budgets of a file of options are read here. */
    @ParameterizedTest
    @ValueSource(strings = {"budget: 1h", "component-budget: 1h", "cross-check: true"})
    void whoExpectsLongSearchesInAFileOfOptionsGetsBothCompilers(String line, @TempDir Path folder) throws IOException {
        Path config = Files.writeString(folder.resolve("nightly.yaml"), "level: si\n" + line + "\n");
        assertThat(options("check", "h", "--config", config.toString())).contains("-XX:TieredStopAtLevel=4");

        Files.writeString(config, "level: si\nmemory: 1g\n");
        assertThat(options("check", "h", "--config", config.toString()))
                .contains("-Xmx845414k")
                .doesNotContain("-XX:TieredStopAtLevel=4");
    }

    private static List<String> options(String... arguments) {
        return LauncherOptions.options(Given.on(List.of(arguments)), MACHINE, 2);
    }

    private static long number(List<String> options, String prefix) {
        for (String option : options) {
            if (option.startsWith(prefix)) {
                return Long.parseLong(option.substring(prefix.length()).replace("k", ""));
            }
        }
        throw new AssertionError("no such option: prefix=" + prefix + " options=" + options);
    }
}
