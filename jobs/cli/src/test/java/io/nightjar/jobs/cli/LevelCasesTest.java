package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import io.nightjar.formats.level.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Small histories with verdicts by hand: each level that a check decides holds for one and is violated by another, and each
 * format keeps the verdicts of the histories that fit. The types of anomalies are covered by {@link AnomalyExamples}.
 */
class LevelCasesTest {

    private static final Path SAMPLES = Path.of("../../datasets/samples");

    /** No check of a history decides these levels. */
    private static final Set<IsolationLevel> UNDECIDED = EnumSet.of(
            IsolationLevel.MONOTONIC_READS,
            IsolationLevel.MONOTONIC_WRITES,
            IsolationLevel.READ_YOUR_WRITES,
            IsolationLevel.WRITES_FOLLOW_READS,
            IsolationLevel.PRAM,
            IsolationLevel.VIEW_SERIALIZABLE,
            IsolationLevel.ONE_COPY_SERIALIZABLE,
            IsolationLevel.SESSION_SERIALIZABLE,
            IsolationLevel.SEQUENTIAL,
            IsolationLevel.LINEARIZABLE);

    /**
     * One history.
     *
     * @param six a letter for each of the six levels, from read committed to serializable: holds or violated
     * @param violated the weakest levels that are violated
     * @param holding the strongest levels that hold
     */
    private record LevelCase(String name, String six, String violated, String holding, List<String> txns) {

        static LevelCase of(String name, String six, String violated, String holding, String... txns) {
            return new LevelCase(name, six, violated, holding, List.of(txns));
        }

        String history() {
            return String.join("\n", txns) + "\n";
        }
    }

    private static final List<LevelCase> CASES = List.of(
            LevelCase.of(
                    "serial",
                    "hhhhhh",
                    "",
                    "commit-order-serializable strict-serializable",
                    "s1 T1 [1,2] <1,2>: w(1,11)",
                    "s2 T2 [3,4] <3,4>: r(1,11) w(1,12) w(2,21)",
                    "s1 T3 [5,6] <5,6>: r(1,12) r(2,21)"),
            LevelCase.of(
                    "cyclic information flow",
                    "vvvvvv",
                    "PL-2",
                    "strong-session-read-uncommitted",
                    "s1 T1: w(1,11) r(2,22)",
                    "s2 T2: w(2,22) r(1,11)"),
            LevelCase.of(
                    "aborted read",
                    "vvvvvv",
                    "PL-2",
                    "strong-session-read-uncommitted",
                    "s1 T1!: w(1,11)",
                    "s2 T2: r(1,11)"),
            LevelCase.of(
                    "cyclic versions",
                    "vvvvvv",
                    "PL-1",
                    "",
                    "s1 T1: append(1,11) append(2,21)",
                    "s2 T2: append(1,12) append(2,22)",
                    "s3 T3: r(1,[11,12]) r(2,[22,21])"),
            LevelCase.of(
                    "older version after a newer one",
                    "vvvvvv",
                    "consistent-view read-committed update-atomic causal-cerone PL-2.99",
                    "strong-session-read-committed",
                    "s1 T1: w(1,11)",
                    "s2 T2: r(1,11) w(1,12) w(2,22)",
                    "s3 T3: r(2,22) r(1,11)"),
            LevelCase.of(
                    "fractured read",
                    "hvvvvv",
                    "consistent-view read-atomic update-atomic causal-cerone PL-2.99",
                    "read-committed",
                    "s1 T1: w(1,11) w(2,21)",
                    "s2 T2: r(1,_) r(2,21)"),
            LevelCase.of(
                    "own write lost",
                    "hvvvvv",
                    "read-atomic",
                    "read-committed PL-3",
                    "s1 T1: w(1,11)",
                    "s1 T2: r(1,_)"),
            LevelCase.of(
                    "reply before its question",
                    "hhvvvv",
                    "consistent-view causal-cerone PL-2.99",
                    "read-atomic",
                    "s1 T1: w(1,11)",
                    "s2 T2: r(1,11) w(2,22)",
                    "s3 T3: r(2,22) r(1,_)"),
            LevelCase.of(
                    "two orders of two writes",
                    "hhhvvv",
                    "prefix PL-2.99 PL-SI",
                    "consistent-view causal",
                    "s1 T1: w(1,11)",
                    "s2 T2: w(2,22)",
                    "s3 T3: r(1,11) r(2,_)",
                    "s4 T4: r(1,_) r(2,22)"),
            LevelCase.of(
                    "lost update",
                    "hhhhvv",
                    "cursor-stability update-atomic",
                    "prefix",
                    "s1 T1: r(1,_) w(1,11)",
                    "s2 T2: r(1,_) w(1,12)"),
            LevelCase.of(
                    "write skew",
                    "hhhhhv",
                    "PL-2.99",
                    "strong-session-snapshot-isolation snapshot-isolation",
                    "s1 T1: r(1,_) w(2,21)",
                    "s2 T2: r(2,_) w(1,12)"),
            LevelCase.of(
                    "stale in real time",
                    "hhhhhh",
                    "strong-snapshot-isolation",
                    "strong-read-committed strong-session-serializable serializable",
                    "s1 T1 <1,2>: w(1,11)",
                    "s2 T2 <3,4>: r(1,_)"),
            LevelCase.of(
                    "serial in another order than commits",
                    "hhhhhh",
                    "commit-order-serializable",
                    "strong-session-serializable serializable",
                    "s1 T1 [1,4]: r(1,_) w(2,21)",
                    "s2 T2 [2,3]: w(1,12)"));

    /** Formats without lists. */
    private static final Set<String> REGISTERS_ONLY = Set.of(".bincode", ".dbcop.json", ".hist", ".plume");

    @TempDir
    private Path folder;

    @Test
    void verdictsAreThoseGivenAndCoverEachLevel() throws IOException {
        Set<IsolationLevel> everHolding = EnumSet.noneOf(IsolationLevel.class);
        Set<IsolationLevel> everViolated = EnumSet.noneOf(IsolationLevel.class);
        List<Map<String, Object>> results = check(written(".txt"), Arrays.asList(IsolationLevel.values()));
        for (int i = 0; i < CASES.size(); i++) {
            LevelCase one = CASES.get(i);
            Set<IsolationLevel> holding = levels(results.get(i), Verdict.HOLDS);
            Set<IsolationLevel> violated = levels(results.get(i), Verdict.VIOLATED);
            everHolding.addAll(holding);
            everViolated.addAll(violated);

            assertThat(six(results.get(i))).as(one.name).isEqualTo(one.six);
            assertThat(names(violated, false))
                    .as("weakest violated: %s", one.name)
                    .isEqualTo(one.violated);
            assertThat(names(holding, true))
                    .as("strongest that holds: %s", one.name)
                    .isEqualTo(one.holding);
        }

        Set<IsolationLevel> decided = EnumSet.complementOf(EnumSet.copyOf(UNDECIDED));
        assertThat(everHolding).isEqualTo(decided);
        assertThat(everViolated).isEqualTo(decided);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".parquet",
                ".arrow",
                ".jsonl",
                ".edn",
                ".elle.json",
                ".bincode",
                ".dbcop.json",
                ".hist",
                ".plume"
            })
    void formatsKeepTheVerdicts(String extension) throws IOException {
        List<Path> files = written(".txt");
        List<Path> converted = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < CASES.size(); i++) {
            LevelCase one = CASES.get(i);
            if (!REGISTERS_ONLY.contains(extension) || !one.history().contains("append")) {
                Path out = folder.resolve(i + extension);
                CommandRun run = CommandRun.of("convert", files.get(i).toString(), out.toString());
                assertThat(run.code()).as("%s %s", one.name, run).isZero();
                converted.add(out);
                expected.add(one.six + " " + one.name);
            }
        }

        List<Map<String, Object>> results = check(converted, IsolationLevel.all());
        for (int i = 0; i < expected.size(); i++) {
            assertThat(expected.get(i)).startsWith(six(results.get(i)) + " ");
        }
    }

    @Test
    void eachFormatHasASampleWithVerdicts() throws IOException {
        Set<String> formats = JsonTree.lines(Files.readString(SAMPLES.resolve("manifest.jsonl"))).stream()
                .map(entry -> SAMPLES.resolve(String.valueOf(entry.get("path"))).toString())
                .map(path -> CommandRun.of("inspect", path, "--json").out())
                .map(json -> String.valueOf(JsonTree.object(json).get("format")))
                .collect(Collectors.toSet());

        assertThat(formats)
                .hasSizeGreaterThan(20)
                .containsAll(JsonTree.lines(CommandRun.of("formats", "--json").out()).stream()
                        .map(format -> String.valueOf(format.get("format")))
                        .toList());
    }

    private List<Path> written(String extension) throws IOException {
        List<Path> files = new ArrayList<>();
        for (LevelCase one : CASES) {
            files.add(Files.writeString(folder.resolve(one.name.replace(' ', '-') + extension), one.history()));
        }
        return files;
    }

    private static List<Map<String, Object>> check(List<Path> files, List<IsolationLevel> levels) {
        List<String> arguments = new ArrayList<>(List.of("check", "--json", "--lake", "none", "--level"));
        arguments.add(levels.stream().map(IsolationLevel::longName).collect(Collectors.joining(",")));
        files.forEach(file -> arguments.add(file.toString()));
        return JsonTree.lines(CommandRun.of(arguments.toArray(String[]::new)).out());
    }

    private static String six(Map<String, Object> result) {
        return IsolationLevel.all().stream()
                .map(level -> JsonTree.<String>at(result, "levels", level.longName(), "verdict")
                        .substring(0, 1))
                .collect(Collectors.joining());
    }

    private static Set<IsolationLevel> levels(Map<String, Object> result, Verdict verdict) {
        Set<IsolationLevel> levels = EnumSet.noneOf(IsolationLevel.class);
        for (IsolationLevel level : IsolationLevel.values()) {
            if (JsonTree.at(result, "levels", level.longName(), "verdict").equals(verdict.word())) {
                levels.add(level);
            }
        }
        return levels;
    }

    /** The names of the strongest levels of some, or of the weakest. */
    private static String names(Set<IsolationLevel> levels, boolean isStrongest) {
        return levels.stream()
                .filter(level -> levels.stream()
                        .noneMatch(other -> isStrongest ? isStronger(other, level) : isStronger(level, other)))
                .map(IsolationLevel::longName)
                .collect(Collectors.joining(" "));
    }

    private static boolean isStronger(IsolationLevel one, IsolationLevel other) {
        return LevelLattice.implies(one, other) && !LevelLattice.implies(other, one);
    }
}
