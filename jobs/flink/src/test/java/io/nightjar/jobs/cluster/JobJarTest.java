package io.nightjar.jobs.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Jobs reach a cluster as one jar or with a client; both ways they bring the same. */
class JobJarTest {

    private static final Pattern INCLUDE = Pattern.compile("<include>[^:]+:([^<]+)</include>");
    private static final Pattern DEPENDENCY = Pattern.compile("<dependency>(.*?)</dependency>", Pattern.DOTALL);
    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>([^<]+)</artifactId>");

    private final Path root = Path.of("").toAbsolutePath().getParent().getParent();

    @Test
    void jarContainsJobClassesAndCommandLine() throws IOException {
        List<String> expected = new ArrayList<>(ApplicationClassPath.JOB_LIBRARIES);
        expected.addAll(List.of(
                "nightjar-command",
                "nightjar-datasets",
                "nightjar-engine",
                "nightjar-flink",
                "nightjar-formats",
                "nightjar-kafka",
                "nightjar-lake",
                "nightjar-objects",
                "nightjar-pipeline",
                "nightjar-watch",
                "picocli"));

        assertThat(all(INCLUDE, Files.readString(root.resolve("jobs/cli/src/main/assembly/flink-job.xml"))))
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void jarContainsClassesOfAllStages() throws IOException {
        List<String> needed = new ArrayList<>();
        for (String module : List.of("formats", "datasets", "pipeline", "jobs/kafka")) {
            Matcher dependency =
                    DEPENDENCY.matcher(Files.readString(root.resolve(module).resolve("pom.xml")));
            while (dependency.find()) {
                if (!dependency.group(1).contains("<scope>test</scope>")) {
                    needed.addAll(all(ARTIFACT, dependency.group(1)));
                }
            }
        }
        needed.removeIf(name -> name.startsWith("nightjar-"));

        assertThat(needed).isNotEmpty();
        assertThat(ApplicationClassPath.JOB_LIBRARIES).containsAll(needed);
    }

    @Test
    void clusterHasNoNightjarClassAndJobNoFlinkClass() {
        assertThat(names(ApplicationClassPath.ofThisProcess().flink()))
                .anyMatch(name -> name.startsWith("flink-runtime-"))
                .anyMatch(name -> name.startsWith("slf4j-jdk14-"))
                .noneMatch(name -> name.startsWith("nightjar-"));
        assertThat(names(ApplicationClassPath.ofThisProcess().job()))
                .anyMatch(name -> name.startsWith("zstd-jni-"))
                .noneMatch(name -> name.matches("(flink|slf4j|duckdb).*\\.jar"));
    }

    private static List<String> names(List<Path> paths) {
        return paths.stream().map(path -> path.getFileName().toString()).toList();
    }

    private static List<String> all(Pattern pattern, String text) {
        List<String> found = new ArrayList<>();
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }
}
