package io.nightjar.jobs.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import io.nightjar.fixtures.PublishedCases;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResult.LevelResult;
import io.nightjar.jobs.run.CheckOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The histories that TimeKiller was run on have its verdicts and its counts. */
class ChronosCasesTest {

    @Test
    void verdictsAndCountsAreThoseOfTimeKiller() throws IOException {
        List<Map<String, Object>> cases = PublishedCases.of("verdicts.json");
        int checked = 0;
        for (Map<String, Object> known : cases) {
            String path = JsonTree.at(known, "path");
            if (path.startsWith("chronos/")) {
                check(path, known);
                checked++;
            }
        }
        assertThat(checked).isPositive();
    }

    private static void check(String path, Map<String, Object> known) throws IOException {
        for (int threads : new int[] {1, 4}) {
            CheckOptions options = TestHistories.withInitialValue(
                    TestHistories.options(
                            TestHistories.SI_AND_CSER,
                            threads,
                            TestHistories.MUCH_MEMORY,
                            Path.of(System.getProperty("java.io.tmpdir"))),
                    "0");

            RunResult result = TestHistories.check(PublishedCases.at(path), options);

            for (IsolationLevel level : TestHistories.SI_AND_CSER) {
                LevelResult found = result.levels().get(level);
                String name =
                        level == IsolationLevel.SNAPSHOT_ISOLATION ? "si" : "ser"; // which Chronos replays by commits
                boolean holds = JsonTree.at(known, "verdict", name);
                long violations = JsonTree.at(known, "violations", name);
                assertThat(found.verdict())
                        .as("%s %s", path, level)
                        .isEqualTo(holds ? Verdict.HOLDS : Verdict.VIOLATED);
                assertThat(found.anomalies())
                        .as("%s %s %s", path, level, found.types())
                        .isEqualTo(violations);
            }
        }
    }
}
