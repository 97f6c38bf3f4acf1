package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResult.LevelResult;
import io.nightjar.jobs.RunResult.ListedAnomaly;
import io.nightjar.jobs.RunResultJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Histories in the documents begin with what the check says of them: {@code # si: EXT, ser: holds}. For each level that is
 * named there: {@code holds}, {@code undecided}, or the types of anomalies with + between them. Besides levels there may be
 * the {@code pattern} of a finding, and further options of {@code check}.
 */
class DocumentExamplesTest {

    private static final Pattern EXAMPLE = Pattern.compile("```\n# (\\S+: [^\n]+)\n(.*?)```", Pattern.DOTALL);

    @TempDir
    private Path directory;

    static List<Example> examples() throws IOException {
        List<Example> examples = new ArrayList<>();
        for (String document : List.of("anomalies.md", "levels.md")) {
            Path path = Path.of("").toAbsolutePath().resolveSibling("docs").resolve(document);
            Matcher matcher = EXAMPLE.matcher(Files.readString(path));
            while (matcher.find()) {
                examples.add(example(document, matcher.group(1), matcher.group(2)));
            }
        }
        return examples;
    }

    private static Example example(String document, String header, String history) {
        Map<IsolationLevel, String> answers = new LinkedHashMap<>();
        String pattern = null;
        List<String> options = List.of();
        for (String answer : header.split(", ")) {
            String name = answer.substring(0, answer.indexOf(':'));
            String value = answer.substring(answer.indexOf(':') + 2);
            switch (name) {
                case "pattern" -> pattern = value;
                case "check" -> options = List.of(value.split(" "));
                default -> {
                    IsolationLevel level = IsolationLevel.byName(name);
                    assertThat(level).as(header).isNotNull();
                    answers.put(level, value);
                }
            }
        }
        return new Example(document, answers, pattern, options, history);
    }

    @ParameterizedTest
    @MethodSource("examples")
    void theCheckSaysWhatTheDocumentSays(Example example) throws IOException {
        Path history = directory.resolve("example.txt");
        Files.writeString(history, example.history());
        List<String> levels = new ArrayList<>();
        example.answers().keySet().forEach(level -> levels.add(level.longName()));
        List<String> arguments = new ArrayList<>(List.of("check", history.toString(), "--json", "--lake", "none"));
        arguments.addAll(List.of("--level", String.join(",", levels)));
        arguments.addAll(example.options());

        CommandRun run = CommandRun.of(arguments.toArray(new String[0]));

        assertThat(run.code()).as(run.err()).isLessThanOrEqualTo(2);
        RunResult result = RunResultJson.read(run.out());
        example.answers().forEach((level, answer) -> assertLevel(result, level, answer));
        if (example.pattern() != null) {
            assertThat(result.anomalies()).extracting(ListedAnomaly::pattern).contains(example.pattern());
        }
    }

    private static void assertLevel(RunResult result, IsolationLevel level, String expected) {
        LevelResult found = result.levels().get(level);
        switch (expected) {
            case "holds" -> assertThat(found.verdict()).as(level.longName()).isEqualTo(Verdict.HOLDS);
            case "undecided" -> assertThat(found.verdict()).as(level.longName()).isEqualTo(Verdict.UNDECIDED);
            default -> assertThat(found.types().keySet()).as(level.longName()).isEqualTo(Set.of(expected.split("\\+")));
        }
    }

    record Example(
            String document,
            Map<IsolationLevel, String> answers,
            String pattern,
            List<String> options,
            String history) {}
}
