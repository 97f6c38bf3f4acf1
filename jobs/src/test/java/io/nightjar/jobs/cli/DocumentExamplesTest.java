package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResult.LevelResult;
import io.nightjar.jobs.RunResultJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Histories in the documents begin with what the check says of them: {@code # si: EXT, ser: holds}. */
class DocumentExamplesTest {

    private static final Pattern EXAMPLE = Pattern.compile("```\n# si: (\\S+), ser: (\\S+)\n(.*?)```", Pattern.DOTALL);

    @TempDir
    private Path directory;

    static List<Example> examples() throws IOException {
        List<Example> examples = new ArrayList<>();
        for (String document : List.of("anomalies.md", "levels.md")) {
            Path path = Path.of("").toAbsolutePath().resolveSibling("docs").resolve(document);
            Matcher matcher = EXAMPLE.matcher(Files.readString(path));
            while (matcher.find()) {
                examples.add(new Example(document, matcher.group(1), matcher.group(2), matcher.group(3)));
            }
        }
        return examples;
    }

    @ParameterizedTest
    @MethodSource("examples")
    void theCheckSaysWhatTheDocumentSays(Example example) throws IOException {
        Path history = directory.resolve("example.txt");
        Files.writeString(history, example.history());

        CommandRun run = CommandRun.of("check", history.toString(), "--json", "--lake", "none");

        assertThat(run.code()).as(run.err()).isEqualTo(1);
        RunResult result = RunResultJson.read(run.out());
        assertLevel(result, IsolationLevel.SNAPSHOT_ISOLATION, example.si());
        assertLevel(result, IsolationLevel.SERIALIZABLE, example.ser());
    }

    private static void assertLevel(RunResult result, IsolationLevel level, String expected) {
        LevelResult found = result.levels().get(level);
        if (expected.equals("holds")) {
            assertThat(found.verdict()).as(level.longName()).isEqualTo(Verdict.HOLDS);
        } else {
            assertThat(found.types().keySet()).as(level.longName()).isEqualTo(Set.of(expected));
        }
    }

    record Example(String document, String si, String ser, String history) {}
}
