package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResultJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small histories of operations of all kinds, decided from values alone: no verdict differs from the definition. */
@Tag(Seeds.TAG)
class AnyOperationTest {

    private static final int HISTORIES = 3_000;
    private static final int BATCH = 500;

    private static final String LEVELS =
            "rc,ra,cc,pc,si,ser,sser,PL-1,PL-2,PL-2.99,PL-SI,PL-3,strong-snapshot-isolation,"
                    + "strong-session-snapshot-isolation,strong-session-serializable";

    @TempDir
    private Path folder;

    @Test
    void noVerdictDiffersFromTheDefinition() {
        Map<String, Integer> met = new TreeMap<>();
        Map<String, SmallOperations> wrong = new TreeMap<>();
        long[] seeds = Seeds.upTo(HISTORIES);
        for (int from = 0; from < seeds.length; from += BATCH) {
            List<SmallOperations> histories = new ArrayList<>();
            for (int i = from; i < Math.min(seeds.length, from + BATCH); i++) {
                histories.add(SmallOperations.of(new Random(seeds[i] * 0x9E3779B97F4A7C15L)));
            }
            List<String> differences = differences(histories, met);
            for (int i = 0; i < histories.size(); i++) {
                String difference = differences.get(i);
                if (difference != null) {
                    met.merge("difference: " + difference, 1, Integer::sum);
                    SmallOperations history = histories.get(i);
                    wrong.computeIfAbsent(difference, kind -> shrunk(history, kind));
                }
            }
        }
        if (Seeds.areOfCampaign()) {
            met.forEach((what, times) -> System.out.println("any operation: " + what + ": " + times));
        }

        wrong.forEach((kind, history) -> System.out.println("wrong: " + kind + "\n" + history.text()));
        assertThat(wrong.keySet()).isEmpty();
        if (Seeds.areAll()) {
            for (String level : List.of("read-committed", "causal", "prefix", "snapshot-isolation", "serializable")) {
                assertThat(met).containsKeys(level + " " + Verdict.HOLDS, level + " " + Verdict.VIOLATED);
            }
        }
    }

    private SmallOperations shrunk(SmallOperations history, String difference) {
        for (SmallOperations smaller : history.smaller()) {
            if (difference.equals(differences(List.of(smaller), new TreeMap<>()).get(0))) {
                return shrunk(smaller, difference);
            }
        }
        return history;
    }

    /** Returns the first difference of each history from the definition, null if it has none. */
    private List<String> differences(List<SmallOperations> histories, Map<String, Integer> met) {
        List<String> arguments = new ArrayList<>(List.of("check", "--lake", "none", "--json", "--level", LEVELS));
        for (int i = 0; i < histories.size(); i++) {
            arguments.add(
                    write(folder.resolve("h" + i + ".jsonl"), histories.get(i).text()));
        }
        CommandRun run = CommandRun.of(arguments.toArray(String[]::new));
        List<String> lines = run.out().lines().toList();
        assertThat(lines).as("%s", run.err()).hasSameSizeAs(histories);
        List<String> differences = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            boolean isDecided = lines.get(i).contains("\"levels\":");
            differences.add(
                    isDecided
                            ? difference(histories.get(i), RunResultJson.read(lines.get(i)), met)
                            : lines.get(i)
                                    .replaceAll(".*\"error\":", "")
                                    .replaceAll("h[0-9]+[.]jsonl", "h")
                                    .replaceAll("[0-9]+", "N"));
        }
        return differences;
    }

    private static String difference(SmallOperations history, RunResult result, Map<String, Integer> met) {
        Map<IsolationLevel, Boolean> defined = OperationLevels.of(history);
        String difference = null;
        for (Map.Entry<IsolationLevel, RunResult.LevelResult> entry :
                result.levels().entrySet()) {
            IsolationLevel level = entry.getKey();
            Verdict verdict = entry.getValue().verdict();
            Boolean holds = defined.get(level);
            String shown = level.longName() + " " + verdict;
            met.merge(shown, 1, Integer::sum);
            if (verdict == Verdict.UNDECIDED) {
                String reason = entry.getValue().reason();
                met.merge("reason: " + String.valueOf(reason).replaceAll("[:=].*", ""), 1, Integer::sum);
            }
            // below snapshot isolation, Elle's levels judge own appends at the end of lists otherwise
            boolean isImplied = defined.entrySet().stream()
                    .filter(stronger -> stronger.getKey().compareTo(IsolationLevel.SNAPSHOT_ISOLATION) >= 0
                            || IsolationLevel.all().contains(level))
                    .anyMatch(stronger -> stronger.getValue() && LevelLattice.implies(stronger.getKey(), level));
            boolean isWrong = holds == null
                    ? verdict == Verdict.VIOLATED && isImplied
                    : verdict != Verdict.UNDECIDED && holds != (verdict == Verdict.HOLDS);
            difference = isWrong && difference == null ? shown + " though defined=" + holds : difference;
        }
        return difference;
    }

    private static String write(Path file, String text) {
        try {
            return Files.writeString(file, text).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
