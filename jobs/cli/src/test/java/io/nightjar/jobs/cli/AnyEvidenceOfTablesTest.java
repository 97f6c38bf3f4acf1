package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResultJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Small histories of tables with arbitrary versions, writers, snapshots, timestamps and outcomes, with rows that
 * repeat: for every kind of evidence, no verdict is refuted by an enumeration of all orders.
 */
@Tag(Seeds.TAG)
class AnyEvidenceOfTablesTest {

    private static final int HISTORIES = Integer.getInteger("nightjar.anyEvidence", 200);

    private static final String ALL = "rc,ra,cc,pc,si,ser,PL-1,PL-2,PL-2.99,PL-SI,PL-3";
    private static final List<String> QUESTIONS = List.of(
            "--level " + ALL,
            "--level si,ser",
            "--level ser",
            "--level si",
            "--level PL-3",
            "--level si,ser --cross-check",
            "--level ser --order commit_ts",
            "--level si,ser --evidence timestamps",
            "--level " + ALL + " --evidence values",
            "--level " + ALL + " --evidence versions");

    /** Returns the questions of a campaign, which may be restricted to a single one. */
    private static List<String> asked() {
        Integer only = Integer.getInteger("nightjar.anyQuestion");
        return only == null ? QUESTIONS : List.of(QUESTIONS.get(only));
    }

    @TempDir
    private Path folder;

    @Test
    void noVerdictIsRefutedByTryingAllOrders() throws IOException {
        List<SmallEvidence> histories = new ArrayList<>();
        List<String> files = new ArrayList<>();
        for (long seed : Seeds.upTo(HISTORIES)) {
            SmallEvidence history = new SmallEvidence(new Random(seed));
            histories.add(history);
            files.add(Files.writeString(folder.resolve("seed-" + seed + ".jsonl"), history.text())
                    .toString());
        }
        Map<String, Integer> met = new TreeMap<>();
        Map<String, List<String>> wrong = new LinkedHashMap<>();
        for (String question : asked()) {
            List<String> arguments = new ArrayList<>(List.of("check", "--lake", "none", "--json"));
            arguments.addAll(List.of(question.split(" ")));
            arguments.addAll(files);
            CommandRun run = CommandRun.of(arguments.toArray(String[]::new));
            List<String> lines = run.out().lines().toList();
            assertThat(lines).as(question + run.err()).hasSameSizeAs(histories);
            for (int i = 0; i < lines.size(); i++) {
                if (!lines.get(i).contains("\"levels\":")) {
                    String why =
                            lines.get(i).replaceAll(".*reason=", "").replaceAll(" finding=.*?anomaly=(\\S+),.*", " $1");
                    wrong.computeIfAbsent(question + ": no answer: " + why, kind -> new ArrayList<>())
                            .add(histories.get(i).text());
                    continue;
                }
                RunResult result = RunResultJson.read(lines.get(i));
                for (Map.Entry<IsolationLevel, RunResult.LevelResult> level :
                        result.levels().entrySet()) {
                    RunResult.LevelResult reported = level.getValue();
                    String verdict = reported.verdict().word();
                    met.merge(
                            level.getKey().shortName() + " by " + reported.evidence() + " " + verdict, 1, Integer::sum);
                    String refuted = histories.get(i).refuted(question, level.getKey(), reported.evidence(), verdict);
                    if (refuted != null) {
                        wrong.computeIfAbsent(
                                        "%s: %s by %s %s: %s"
                                                .formatted(
                                                        question,
                                                        level.getKey().shortName(),
                                                        reported.evidence(),
                                                        verdict,
                                                        refuted),
                                        kind -> new ArrayList<>())
                                .add(result.history() + "\n" + histories.get(i).text());
                    }
                }
            }
        }
        System.out.println("any evidence: " + met);
        wrong.forEach((kind, where) -> System.out.println("wrong " + where.size() + " times, " + kind + "\n"
                + where.stream()
                        .min(java.util.Comparator.comparing(String::length))
                        .orElse("")));
        assertThat(wrong.keySet()).isEmpty();
    }
}
