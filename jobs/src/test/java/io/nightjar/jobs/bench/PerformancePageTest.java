package io.nightjar.jobs.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

    @Test
    void chartsAreDrawnFromTheResultsThatLieBesideThem() throws IOException {
        PlanReader plans = new PlanReader(HOME.resolve("bench"));
        for (Path folder : ResultsFile.foldersIn(HOME.resolve("bench/results"))) {
            ResultsFile results = ResultsFile.existing(folder);
            for (String plan : results.plans()) {
                for (Map.Entry<String, String> chart :
                        BenchPage.of(plans.plan(plan), results).charts().entrySet()) {
                    assertThat(Files.readString(folder.resolve(chart.getKey())))
                            .as("%s in %s; drawn anew by: nightjar bench page bench/results", chart.getKey(), folder)
                            .isEqualTo(chart.getValue());
                }
            }
        }
    }

    /** The two numbers that a newcomer meets first stand on the page too, and where what was measured once is told. */
    @Test
    void theReadmeSaysWhatThePageSays() throws IOException {
        Matcher row = Pattern.compile(
                        "\\| zipfian on 1,000 keys, Parquet \\|[^|]*\\| ([0-9.]+) [^|]*\\| ([0-9.]+) [^|]*\\| ([0-9]+) \\|")
                .matcher(Files.readString(HOME.resolve("docs/performance.md")));
        assertThat(row.find()).isTrue();
        String readme = Files.readString(HOME.resolve("README.md")).replaceAll("\\s+", " ");

        assertThat(readme)
                .contains(String.format(
                        Locale.ROOT,
                        "A million transactions of 15 operations are checked from Parquet by timestamps in %.1f seconds"
                                + " (%.1f s of CPU, %s MB) on two cores",
                        Double.parseDouble(row.group(1)),
                        Double.parseDouble(row.group(2)),
                        row.group(3)));
        Matcher billion = Pattern.compile("a billion operations in commit order in [a-z ]+ and ([0-9]+) MB")
                .matcher(readme);
        assertThat(billion.find()).isTrue();
        assertThat(Files.readString(HOME.resolve("docs/earlier-measurements.md")))
                .contains("| " + billion.group(1) + " | nothing |");
    }
}
