package io.nightjar.k8s;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightjar.jobs.cli.CommandLines;
import io.nightjar.jobs.lake.LakeNames;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.ParameterException;

/** Every command line that is written in this folder is one that Nightjar understands. */
class CommandsTest {

    private static final String NIGHT = "20261121";
    private static final Pattern BLOCK = Pattern.compile("^```\\w*\n(.*?)^```", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");

    @Test
    void everyManifestsCommandIsUnderstood() {
        Map<String, List<String>> commands = inManifests();

        assertThat(commands).hasSize(8);
        commands.forEach((where, command) -> assertThatCode(() -> CommandLines.parse(command))
                .as(where + " " + command)
                .doesNotThrowAnyException());
    }

    @Test
    void anOptionThatIsMisspelledIsNotUnderstood() {
        List<String> command = new ArrayList<>(inManifests().get("local/job Job"));
        command.set(command.indexOf("--parallelism"), "--paralelism");

        assertThatThrownBy(() -> CommandLines.parse(command)).isInstanceOf(ParameterException.class);
    }

    @Test
    void everyManifestsRunIdIsOne() {
        inManifests().forEach((where, command) -> {
            String runId = after(command, "--run-id");

            assertThat(runId).as(where).contains(NIGHT);
            assertThat(LakeNames.checkRunId(runId)).isEqualTo(runId);
        });
    }

    @Test
    void everyCheckSaysTheSameBesidesItsRun() {
        inManifests().forEach((where, command) -> {
            boolean isBucket = where.startsWith("s3/");
            assertThat(after(command, "--lake"))
                    .as(where)
                    .isEqualTo(isBucket ? "s3://my-bucket/lake" : "/lake/nightjar");
            assertThat(after(command, "--level")).as(where).isEqualTo("si,ser");
            assertThat(command)
                    .as(where)
                    .endsWith("--json", isBucket ? "s3://my-bucket/histories/orders" : "/histories/orders");
        });
    }

    @Test
    void flinkIsAskedForSlotsOfJob() {
        for (String overlay : List.of("local/flink-application", "local/flink-session")) {
            String kind = overlay.endsWith("session") ? "FlinkSessionJob" : "FlinkDeployment";
            JsonNode job = Manifests.built(overlay, kind).at("/spec/job");

            assertThat(after(Manifests.strings(job.path("args")), "--parallelism"))
                    .isEqualTo(job.path("parallelism").asText());
        }
    }

    @Test
    void everyCommandOfTheReadmeIsUnderstood() {
        List<List<String>> commands = inReadme();

        assertThat(commands).hasSizeGreaterThan(4);
        for (List<String> command : commands) {
            assertThatCode(() -> CommandLines.parse(command))
                    .as(command.toString())
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void theReadmeAsksAgainWithTheArgumentsOfTheNight() {
        List<String> again = inReadme().stream()
                .filter(command -> command.get(0).equals("check"))
                .findFirst()
                .orElseThrow();
        List<String> night = inManifests().get("local/job Job");

        assertThat(withoutRun(again)).isEqualTo(withoutRun(night));
    }

    @Test
    void everyFolderAndFileThatTheReadmeNamesIsThere() {
        Matcher named =
                Pattern.compile("k8s/([\\w/-]*\\w(\\.\\w+)?)|\\]\\(([^)]+)\\)").matcher(Manifests.read("README.md"));

        int count = 0;
        while (named.find()) {
            String path = named.group(1) == null ? named.group(3) : named.group(1);
            assertThat(Manifests.HOME.resolve(path)).exists();
            count++;
        }
        assertThat(count).isGreaterThan(8);
    }

    /** The commands by where they stand, as they are after Kubernetes and the README's sed have put names in. */
    private static Map<String, List<String>> inManifests() {
        Map<String, List<String>> commands = new TreeMap<>();
        for (Path overlay : Manifests.overlays()) {
            for (ObjectNode manifest : Kustomize.build(overlay)) {
                String where = Manifests.HOME.resolve("overlays").relativize(overlay) + " "
                        + manifest.path("kind").asText();
                if (manifest.at("/spec/job/args").isArray()) {
                    List<String> command = new ArrayList<>(List.of("check"));
                    Manifests.strings(manifest.at("/spec/job/args"))
                            .forEach(word -> command.add(word.replace("tonight", NIGHT)));
                    commands.put(where, command);
                }
                for (JsonNode pod : Manifests.podSpecs(manifest)) {
                    for (JsonNode container : Manifests.containers(pod)) {
                        if (container.path("name").asText().equals("check")) {
                            commands.put(where, withRun(container, "nightjar-" + NIGHT));
                        }
                    }
                }
            }
        }
        return commands;
    }

    private static List<String> withRun(JsonNode container, String jobName) {
        JsonNode variable = container.at("/env/0");
        assertThat(variable.path("name").asText()).isEqualTo("RUN_ID");
        assertThat(variable.at("/valueFrom/fieldRef/fieldPath").asText())
                .isEqualTo("metadata.labels['batch.kubernetes.io/job-name']");
        List<String> command = new ArrayList<>();
        Manifests.strings(container.path("args")).forEach(word -> command.add(word.replace("$(RUN_ID)", jobName)));
        return command;
    }

    private static List<List<String>> inReadme() {
        List<List<String>> commands = new ArrayList<>();
        Matcher block = BLOCK.matcher(Manifests.read("README.md"));
        while (block.find()) {
            for (String line : block.group(1).split("\n")) {
                List<String> words = words(line);
                for (int at = 0; at + 1 < words.size(); at++) {
                    boolean isOurs =
                            words.get(at).equals("nightjar") || words.get(at).equals("./nightjar");
                    if (isOurs && CommandLines.commands().contains(words.get(at + 1))) {
                        commands.add(words.subList(at + 1, words.size()));
                        break;
                    }
                }
            }
        }
        return commands;
    }

    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(line);
        while (word.find()) {
            words.add(word.group(1) != null ? word.group(1) : word.group(2) != null ? word.group(2) : word.group(3));
        }
        return words;
    }

    private static String after(List<String> command, String option) {
        assertThat(command).contains(option);
        return command.get(command.indexOf(option) + 1);
    }

    private static List<String> withoutRun(List<String> command) {
        List<String> rest = new ArrayList<>(command);
        rest.remove(rest.indexOf("--run-id") + 1);
        return rest;
    }
}
