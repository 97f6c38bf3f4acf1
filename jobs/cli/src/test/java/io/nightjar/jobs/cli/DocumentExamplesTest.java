package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Histories in the documents begin with the expected verdicts of the check: {@code # si: EXT, ser: holds}. For each
 * level that is named there: {@code holds}, {@code undecided}, or the types of anomalies with + between them. Besides
 * levels there may be the {@code pattern} of a finding, and further options of {@code check}. Commands print the output
 * that the document shows.
 */
class DocumentExamplesTest {

    private static final Pattern EXAMPLE = Pattern.compile("```\n# (\\S+: [^\n]+)\n(.*?)```", Pattern.DOTALL);

    private static final Pattern FILE = Pattern.compile("nightjar-lake|out|[a-z]+\\.(?:txt|jsonl|parquet|sh)");

    @TempDir
    private Path directory;

    static List<Example> examples() throws IOException {
        List<Example> examples = new ArrayList<>();
        for (String document : List.of("anomalies.md", "levels.md", "explain.md", "predicates.md")) {
            Matcher matcher = EXAMPLE.matcher(page("docs/" + document));
            while (matcher.find()) {
                examples.add(example(document, matcher.group(1), matcher.group(2)));
            }
        }
        return examples;
    }

    private static String page(String address) throws IOException {
        return Files.readString(Path.of("").toAbsolutePath().getParent().resolveSibling(address));
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
    void checkPrintsDocumentedOutput(Example example) throws IOException {
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

    @Test
    void anomalyTextMatchesDocument() throws IOException {
        Matcher sample = Pattern.compile(EXAMPLE.pattern() + ".*?```\n(read skew \\(G-.*?)```", Pattern.DOTALL)
                .matcher(page("docs/explain.md"));
        assertThat(sample.find()).isTrue();
        Path history = Files.writeString(directory.resolve("example.txt"), sample.group(2));
        Path folder = directory.resolve("artifacts");

        CommandRun.of("check", "" + history, "--level", "PL-3", "--lake", "none", "--artifacts", "" + folder);

        try (Stream<Path> files = Files.walk(folder)) {
            Path text = files.filter(file -> file.endsWith("G-single-item/1.txt"))
                    .findFirst()
                    .orElseThrow();
            assertThat(Files.readString(text).replace(directory + "/", "")).isEqualTo(sample.group(3));
        }
    }

    /** A page contains the output of each command, with the files that it shows; times, ids of runs and folders aside. */
    @ParameterizedTest
    @CsvSource({
        "README.md, check",
        "docs/first-check.md, inspect check explain sql",
        "docs/find-a-bug.md, explore check explain explore",
        "docs/last-night.md, generate check generate check sql",
        "docs/add-to-ci.md, generate check"
    })
    void commandOutputIsInDocument(String document, String commands) throws IOException {
        String page = page(document);
        assumeTrue(!page.contains("psql") || Files.isExecutable(Path.of("/usr/bin/psql")), "psql is not there");
        Matcher content = Pattern.compile("cat (?:> )?(\\S+)[^\n]*\n(.*?\n)(?:END|\\$)", Pattern.DOTALL)
                .matcher(page);
        while (content.find()) {
            Files.writeString(directory.resolve(content.group(1)), content.group(2));
        }
        String lake = directory.resolve("nightjar-lake").toString();

        Matcher call = Pattern.compile("\\$ \\./nightjar ([^\n]*)\n(.*?)(?:…\n)?```", Pattern.DOTALL)
                .matcher(page);
        List<String> called = new ArrayList<>();
        while (call.find()) {
            List<String> words = words(call.group(1));
            called.add(words.get(0));
            words.replaceAll(word ->
                    FILE.matcher(word).matches() ? directory.resolve(word).toString() : word);
            if (List.of("check", "sql").contains(words.get(0))) {
                words.addAll(List.of("--lake", lake));
            }
            String printed = CommandRun.of(words.toArray(new String[0])).out();

            assertThat(plain(printed.replace(directory + "/", "")))
                    .as(call.group(1))
                    .startsWith(plain(call.group(2)));
        }
        assertThat(String.join(" ", called)).isEqualTo(commands);
    }

    @Test
    void timelineOfReadmeIsDrawnByReport() throws IOException {
        Path report = directory.resolve("report.html");
        String lake = directory.resolve("lake").toString();
        CommandRun.of("check", historyOfReadme(), "--level", "si", "--lake", lake);
        CommandRun.of("report", lake, "-o", report.toString());
        Matcher drawing = Pattern.compile("<svg class=\"timeline\".*?</svg>", Pattern.DOTALL)
                .matcher(Files.readString(report));
        assertThat(drawing.find()).isTrue();

        String picture = page("docs/pictures/lost-update-timeline.svg");
        assertThat(picture.replaceFirst("<style>.*</style>\n<rect .*/>\n", "").strip())
                .isEqualTo(drawing.group().replaceAll("[\\w-]+-clip", "clip"));
    }

    /** Writes the history of README.md, and returns the name of the file. */
    private String historyOfReadme() throws IOException {
        Matcher content =
                Pattern.compile("cat bank.txt\n(.*?\n)\\$", Pattern.DOTALL).matcher(page("README.md"));
        assertThat(content.find()).isTrue();
        return Files.writeString(directory.resolve("bank.txt"), content.group(1))
                .toString();
    }

    @Test
    void cycleOfReadmeIsDrawnByExplain() throws IOException {
        String lake = directory.resolve("lake").toString();
        CommandRun check = CommandRun.of(
                "check", historyOfReadme(), "--level", "si", "--evidence", "values", "--lake", lake, "--json");
        String id = RunResultJson.read(check.out()).anomalies().stream()
                .filter(anomaly -> anomaly.type().equals("commit-order-cycle"))
                .map(ListedAnomaly::id)
                .findFirst()
                .orElseThrow();

        String drawing = CommandRun.of("explain", lake, id, "--svg", "-").out();

        assertThat(drawing.strip())
                .isEqualTo(page("docs/pictures/lost-update-cycle.svg").strip());
    }

    /** Returns the words of a command line, of which those in double quotes are one. */
    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        Matcher word = Pattern.compile("\"([^\"]*)\"|(\\S+)").matcher(line);
        while (word.find()) {
            words.add(word.group(1) == null ? word.group(2) : word.group(1));
        }
        return words;
    }

    private static String plain(String text) {
        return text.replace("./nightjar ", "nightjar ")
                .replaceAll("r\\d{8}T\\d{6}Z-[0-9a-f]{4}", "RUN")
                .replaceAll("\\d{4}-\\d\\d-\\d\\dT[0-9:]+Z", "TIME")
                .replaceAll("\\S*/(bank\\.\\w+)", "$1")
                .replaceAll("\\d+\\.\\d (s|MB)\\b", "N $1")
                .replaceAll("\\s+", " ");
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
