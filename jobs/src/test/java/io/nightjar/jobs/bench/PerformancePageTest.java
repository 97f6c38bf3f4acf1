package io.nightjar.jobs.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The page about performance says what was measured, and nothing else. */
class PerformancePageTest {

    private static final Path HOME = Path.of("..");

    @Test
    void thePageIsMadeFromTheResultsThatLieBesideIt() throws IOException {
        String made = PerformancePage.of(
                HOME.resolve("bench/results"), "../bench/results", new PlanReader(HOME.resolve("bench")));

        assertThat(Files.readString(HOME.resolve("docs/performance.md"))).isEqualTo(made);
    }
}
