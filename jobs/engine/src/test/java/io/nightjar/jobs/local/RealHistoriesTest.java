package io.nightjar.jobs.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.JsonTree;
import io.nightjar.fixtures.PublishedCases;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** From values alone, published histories have the verdicts that other tools agree on. */
class RealHistoriesTest {

    /** Histories that only timestamps rule out: clients cannot distinguish a serial history from any snapshots. */
    private static final List<String> BY_TIMESTAMPS_ALONE = List.of("chronos/serial.json si");

    @Test
    void verdictsAreThoseOfOtherTools() throws IOException {
        List<String> differences = new ArrayList<>();
        int compared = 0;
        for (Map<String, Object> known : PublishedCases.of("verdicts.json")) {
            RunResult result = check(known, false);
            compared += compare(known, result, differences);
            assertThat(brokenOrder(result)).as("%s", known).isNull();
        }
        assertThat(differences).isEqualTo(BY_TIMESTAMPS_ALONE);
        assertThat(compared).isGreaterThan(250);
    }

    @Test
    void twoSearchesAgreeOnThem() throws IOException {
        List<String> differences = new ArrayList<>();
        for (Map<String, Object> known : PublishedCases.of("verdicts.json")) {
            compare(known, check(known, true), differences);
        }
        assertThat(differences).isEqualTo(BY_TIMESTAMPS_ALONE);
    }

    private static RunResult check(Map<String, Object> known, boolean crossChecks) throws IOException {
        String path = JsonTree.at(known, "path");
        String format = JsonTree.at(known, "format");
        return new TestOptions()
                .initialValue(path.startsWith("chronos/") ? "0" : null)
                .crossChecks(crossChecks)
                .check(PublishedCases.at(path), format.equals("awdit-test") ? "awdit" : null);
    }

    private static int compare(Map<String, Object> known, RunResult result, List<String> differences) {
        Map<String, Boolean> verdicts = JsonTree.at(known, "verdict");
        for (Map.Entry<String, Boolean> verdict : verdicts.entrySet()) {
            Verdict found =
                    result.levels().get(IsolationLevel.byName(verdict.getKey())).verdict();
            if (found != (verdict.getValue() ? Verdict.HOLDS : Verdict.VIOLATED)) {
                differences.add(JsonTree.at(known, "path") + " " + verdict.getKey());
            }
        }
        return verdicts.size();
    }

    /** Returns a level that does not follow from the level below it; null if none exists. */
    private static IsolationLevel brokenOrder(RunResult result) {
        Verdict weaker = Verdict.HOLDS;
        for (IsolationLevel level : IsolationLevel.all()) {
            Verdict verdict = result.levels().get(level).verdict();
            if (weaker == Verdict.VIOLATED && verdict != Verdict.VIOLATED) {
                return level;
            }
            weaker = verdict;
        }
        return null;
    }
}
