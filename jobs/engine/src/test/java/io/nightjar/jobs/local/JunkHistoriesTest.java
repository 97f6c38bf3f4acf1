package io.nightjar.jobs.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResult.LevelResult;
import io.nightjar.jobs.run.CheckOptions.Evidence;
import io.nightjar.pipeline.infer.VersionSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every readable history is checked, with any content, and no verdicts contradict each other. */
@Tag(Seeds.TAG)
class JunkHistoriesTest {

    private static final int SEEDS = 400;
    private static final Set<VersionSource> ASSUMED =
            EnumSet.of(VersionSource.WRITES_FOLLOW_READS, VersionSource.SESSION, VersionSource.REALTIME);

    @TempDir
    Path folder;

    @Test
    void everyHistoryIsCheckedWithEveryEvidence() throws IOException {
        Map<Verdict, Integer> seen = new EnumMap<>(Verdict.class);
        for (long seed : Seeds.upTo(SEEDS)) {
            for (RunResult result : check(seed, folder)) {
                seen.merge(result.verdict(), 1, Integer::sum);
            }
        }
        if (Seeds.areAll()) {
            assertThat(seen).containsOnlyKeys(Verdict.HOLDS, Verdict.VIOLATED, Verdict.UNDECIDED);
        }
    }

    /**
     * Checks a history from every source of evidence; every second history has a value that represents the initial
     * state.
     */
    static List<RunResult> check(long seed, Path folder) throws IOException {
        String initialValue = seed % 2 == 0 ? "1" : null;
        String history = JunkHistory.of(seed);
        Path file = Files.writeString(folder.resolve("junk.txt"), history);
        Map<Evidence, RunResult> results = new EnumMap<>(Evidence.class);
        for (Evidence evidence : Evidence.values()) {
            String what = "seed=%d evidence=%s%n%s".formatted(seed, evidence, history);
            results.put(evidence, check(file, options(evidence, initialValue), what));
        }
        RunResult fromValues = results.get(Evidence.VALUES);
        assertNoneContradictsAProof(fromValues, results.values(), "seed=%d%n%s".formatted(seed, history));
        List<RunResult> all = new ArrayList<>(results.values());
        TestOptions assuming = options(Evidence.VALUES, initialValue).versionOrders(ASSUMED);
        all.add(check(file, assuming, "seed=%d orders assumed%n%s".formatted(seed, history)));
        return all;
    }

    private static TestOptions options(Evidence evidence, String initialValue) {
        return new TestOptions()
                .levels(IsolationLevel.values())
                .evidence(evidence)
                .initialValue(initialValue)
                .crossChecks(initialValue != null);
    }

    private static RunResult check(Path file, TestOptions options, String what) throws IOException {
        RunResult result;
        try {
            result = options.check(file);
        } catch (AssertionError | RuntimeException fault) {
            throw new AssertionError(what, fault);
        }
        for (Map.Entry<IsolationLevel, LevelResult> entry : result.levels().entrySet()) {
            LevelResult answer = entry.getValue();
            boolean isViolated = answer.verdict() == Verdict.VIOLATED;
            assertThat(answer.anomalies() > 0)
                    .as("%s %s %s", entry.getKey(), answer, what)
                    .isEqualTo(isViolated);
            assertThat(answer.types().isEmpty())
                    .as("%s %s %s", entry.getKey(), answer, what)
                    .isEqualTo(!isViolated);
        }
        return result;
    }

    /**
     * Values that clients observed rule a level out for good: then no evidence can prove it, nor a level that implies
     * it.
     */
    private static void assertNoneContradictsAProof(RunResult fromValues, Collection<RunResult> results, String what) {
        for (IsolationLevel weak : IsolationLevel.values()) {
            boolean isRuledOut = fromValues.levels().get(weak).verdict() == Verdict.VIOLATED;
            for (IsolationLevel strong : IsolationLevel.values()) {
                if (!isRuledOut || !LevelLattice.implies(strong, weak)) {
                    continue;
                }
                assertThat(results)
                        .as("%s is ruled out, so is %s: %s", weak, strong, what)
                        .noneMatch(result -> result.levels().get(strong).verdict() == Verdict.HOLDS);
            }
        }
    }
}
