package io.nightjar.jobs.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The pages about performance state exactly the measured values. */
class PerformancePageTest {

    private static final Path HOME = Path.of("..", "..");

    @Test
    void pageIsGeneratedFromAdjacentResults() throws IOException {
        assertThat(Files.readString(HOME.resolve("bench/results/README.md"))).isEqualTo(generated());
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

    @Test
    void figuresOfThePerformancePageAreMeasured() throws IOException {
        String generated = generated();
        Matcher row = Pattern.compile("^\\| ([^|]+) \\| ([0-9.]+) \\| ([0-9.]+) \\| ([0-9]+) \\|$", Pattern.MULTILINE)
                .matcher(Files.readString(HOME.resolve("docs/performance.md")));
        int rows = 0;
        while (row.find()) {
            rows++;
            assertThat(generated)
                    .containsPattern("\\| " + Pattern.quote(row.group(1)) + " \\|(?:[^|]*\\|)? "
                            + Pattern.quote(row.group(2)) + " \\([^|]*\\| " + Pattern.quote(row.group(3))
                            + " \\([^|]*\\| " + row.group(4) + " \\|");
        }
        assertThat(rows).isGreaterThan(5);
    }

    @Test
    void plansOfPapersAreOnTheirPageWithMeasuredTimes() throws IOException {
        PlanReader plans = new PlanReader(HOME.resolve("bench"));
        String page = Files.readString(HOME.resolve("docs/reproduce.md"));
        for (String name : plans.names()) {
            if (!plans.plan(name).heading().source().isEmpty()) {
                assertThat(page).contains("`" + name + "`");
            }
        }
        String generated = generated();
        Matcher row = Pattern.compile(
                        "^\\| [^|]+ \\| `([a-z-]+)`[^|]*\\|[^|]+\\|[^|]*?([0-9.]+) s \\|$", Pattern.MULTILINE)
                .matcher(page);
        int rows = 0;
        while (row.find()) {
            rows++;
            String title = "\n## " + plans.plan(row.group(1)).heading().title() + "\n";
            int from = generated.indexOf(title);
            assertThat(from).as(title).isPositive();
            assertThat(generated.substring(from, generated.indexOf("\n## ", from + 4)))
                    .as(row.group())
                    .contains(" | " + row.group(2) + " (");
        }
        assertThat(rows).isEqualTo(9);
    }

    private static String generated() throws IOException {
        return PerformancePage.of(HOME.resolve("bench/results"), ".", new PlanReader(HOME.resolve("bench")));
    }
}
