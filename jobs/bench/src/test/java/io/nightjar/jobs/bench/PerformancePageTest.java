package io.nightjar.jobs.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pages about performance state exactly the measured values. */
class PerformancePageTest {

    private static final Path HOME = Path.of("..", "..");

    private static final List<String> ELSEWHERE = List.of(
            "java.lang",
            "java.lang.invoke",
            "java.util",
            "java.nio",
            "java.io",
            "jdk.internal.util",
            "jdk.internal.misc",
            "sun.security.provider",
            "it.unimi.dsi.fastutil.longs",
            "it.unimi.dsi.fastutil.ints");

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
                        BenchPage.of(plans.plan(plan), results, plans).charts().entrySet()) {
                    assertThat(Files.readString(folder.resolve(chart.getKey())))
                            .as("%s in %s; drawn anew by: nightjar bench page bench/results", chart.getKey(), folder)
                            .isEqualTo(chart.getValue());
                }
            }
        }
    }

    /**
     * Otherwise a sentence explains a method that no longer exists, or a method was renamed and is shown without its
     * sentence.
     */
    @Test
    void everyMethodThatIsExplainedExists() throws Exception {
        Map<String, Path> sources = sources();
        for (String explained : new PlanReader(HOME.resolve("bench")).methods().keySet()) {
            int dot = explained.lastIndexOf('.');
            String type = explained.substring(0, dot);
            String method = explained.substring(dot + 1);
            Path source = sources.get(type.split("\\.")[0] + ".java");
            if (source == null) {
                assertThat(methodsElsewhere(type)).as(explained).contains(method);
            } else if (!method.equals("<init>")) {
                assertThat(Files.readString(source)).as(explained).contains(" " + method + "(");
            }
        }
    }

    private static Map<String, Path> sources() throws IOException {
        Map<String, Path> sources = new HashMap<>();
        for (String folder : List.of("formats", "datasets", "pipeline", "jobs")) {
            try (Stream<Path> files = Files.walk(HOME.resolve(folder))) {
                files.filter(file -> file.toString().contains("/src/main/java/"))
                        .forEach(file -> sources.put(file.getFileName().toString(), file));
            }
        }
        return sources;
    }

    private static Set<String> methodsElsewhere(String type) {
        Set<String> methods = new HashSet<>(Set.of("<init>"));
        for (String location : ELSEWHERE) {
            try {
                Class<?> found = Class.forName(
                        location + "." + type.replace('.', '$'), false, PerformancePageTest.class.getClassLoader());
                for (Method method : found.getDeclaredMethods()) {
                    methods.add(method.getName());
                }
                return methods;
            } catch (ClassNotFoundException next) {
                continue;
            }
        }
        return Set.of();
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
