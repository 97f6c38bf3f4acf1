package io.nightjar.jobs.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The action for GitHub: its script, run with the variables that a runner sets. */
class GitHubActionTest {

    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Path SCRIPT = ROOT.resolve("jobs/cli/src/main/action/check.sh");
    private static final Pattern INPUT = Pattern.compile("\\$\\{\\{ inputs\\.([a-z]+) }}");

    @TempDir
    private Path folder;

    private final Map<String, String> inputs = new LinkedHashMap<>();
    private Path launcher;

    @BeforeEach
    void writeLauncher() throws IOException {
        launcher = CommandRun.writeLauncher(folder.resolve("a launcher"));
    }

    @Test
    void scriptGetsEveryInputOfTheAction() throws IOException {
        JsonNode action = new YAMLMapper().readTree(Files.readString(ROOT.resolve("action.yml")));
        JsonNode step = action.at("/runs/steps/1");
        String script = Files.readString(SCRIPT);

        TreeSet<String> passed = new TreeSet<>();
        for (Map.Entry<String, JsonNode> variable : step.get("env").properties()) {
            assertThat(variable.getValue().asText()).matches(INPUT);
            passed.add(INPUT.matcher(variable.getValue().asText()).replaceFirst("$1"));
            assertThat(script).contains("$" + variable.getKey());
        }
        TreeSet<String> declared = new TreeSet<>();
        action.get("inputs").fieldNames().forEachRemaining(declared::add);
        assertThat(passed).isEqualTo(declared);
        assertThat(step.get("run").asText()).endsWith("$GITHUB_ACTION_PATH/" + ROOT.relativize(SCRIPT) + "\"");
        for (JsonNode output : action.get("outputs")) {
            String name = output.get("value").asText().replaceAll(".*outputs\\.([a-z-]+) .*", "$1");
            assertThat(script).contains("echo \"" + name + "=");
        }
    }

    @Test
    void scriptReportsAViolatedHistory() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("a history.txt"), "s1 T1: w(x,1)\ns2 T2: r(x,1) r(x,nil)\n");
        inputs.put("HISTORY", "\n  a history.txt \n");

        assertThat(run()).isEqualTo(1);
        assertThat(outputs()).contains("verdict=violated", "exit-code=1", "sarif=results/results.sarif");
        assertThat(folder.resolve("results/results.sarif")).isRegularFile();
        assertThat(printed()).contains("::error file=a history.txt");
    }

    @Test
    void knownAnomaliesLeaveTheStepGreenAndTheVerdictViolated() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("a history.txt"), "s1 T1: w(x,1)\ns2 T2: r(x,1) r(x,nil)\n");
        inputs.put("HISTORY", "a history.txt");
        inputs.put("BASELINE", "latest");
        inputs.put("OPTIONS", "--evidence=values");

        assertThat(run()).isEqualTo(1);
        Files.delete(folder.resolve("outputs"));
        assertThat(run()).isZero();
        assertThat(outputs()).contains("verdict=violated", "exit-code=0");
    }

    @Test
    void scriptReportsARejectedHistory() throws IOException, InterruptedException {
        inputs.put("HISTORY", "no such file.parquet");

        assertThat(run()).isEqualTo(3);
        assertThat(outputs()).contains("verdict=failed", "exit-code=3");
    }

    @Test
    void scriptAsksForAHistory() throws IOException, InterruptedException {
        inputs.put("HISTORY", " ");

        assertThat(run()).isEqualTo(64);
        assertThat(printed()).contains("no history: input=history; name a file or a folder");
    }

    private int run() throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("bash", SCRIPT.toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("printed").toFile());
        Map<String, String> environment = builder.environment();
        environment.put("NIGHTJAR", launcher.toString());
        environment.put("GITHUB_OUTPUT", folder.resolve("outputs").toString());
        environment.put("GITHUB_STEP_SUMMARY", folder.resolve("summary").toString());
        environment.put("NIGHTJAR_LEVEL", "si,ser");
        environment.put("NIGHTJAR_LAKE", "a lake");
        environment.put("NIGHTJAR_ARTIFACTS", "results");
        environment.put("NIGHTJAR_BASELINE", "");
        environment.put("NIGHTJAR_OPTIONS", "");
        inputs.forEach((name, value) -> environment.put("NIGHTJAR_" + name, value));
        Process process = builder.start();
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        return process.exitValue();
    }

    private String outputs() throws IOException {
        return Files.readString(folder.resolve("outputs"), UTF_8);
    }

    private String printed() throws IOException {
        return Files.readString(folder.resolve("printed"), UTF_8);
    }
}
