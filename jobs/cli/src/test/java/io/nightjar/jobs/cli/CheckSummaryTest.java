package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.ElleRuledOutLevels;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResult.LevelResult;
import io.nightjar.jobs.RunResult.Lint;
import io.nightjar.jobs.RunResult.ListedAnomaly;
import io.nightjar.jobs.RunResult.Tellings;
import io.nightjar.jobs.UsageException;
import io.nightjar.jobs.options.CheckSummary;
import io.nightjar.jobs.options.LevelNames;
import io.nightjar.jobs.run.CheckOptions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CheckSummaryTest {

    private static final CheckOptions OPTIONS =
            CheckOptions.of(List.of(IsolationLevel.SERIALIZABLE)).build();

    @Test
    void levelsLineUpWhateverTheirNames() {
        String summary = summary(
                null,
                IsolationLevel.PL_3,
                IsolationLevel.SNAPSHOT_ISOLATION,
                IsolationLevel.STRONG_SESSION_SNAPSHOT_ISOLATION);

        assertThat(summary.lines().skip(1))
                .containsExactly(
                        "  PL-3                              holds      by values",
                        "  snapshot-isolation                holds      by values",
                        "  strong-session-snapshot-isolation holds      by values");
    }

    @Test
    void theWeakestLevelsRuledOutAreNamedWithTheirAnomalies() {
        ElleRuledOutLevels ruledOut = LevelLattice.ruledOut(EnumSet.of(Anomaly.G2_ITEM), Map.of(), Map.of());

        assertThat(summary(ruledOut, IsolationLevel.PL_3).lines())
                .contains("  ruled out of Elle's levels: repeatable-read by G2-item; so also serializable,"
                        + " strong-serializable, strong-session-serializable");
    }

    @Test
    void manyStrongerLevelsAreCounted() {
        ElleRuledOutLevels ruledOut = LevelLattice.ruledOut(EnumSet.of(Anomaly.G1C), Map.of(), Map.of());

        assertThat(summary(ruledOut, IsolationLevel.PL_3).lines())
                .contains("  ruled out of Elle's levels: read-committed by G1c; so also 21 stronger ones");
    }

    @Test
    void nothingRuledOutIsNoLine() {
        assertThat(summary(ElleRuledOutLevels.NONE, IsolationLevel.PL_3).lines())
                .hasSize(2);
    }

    @Test
    void theStepsOfACycleKeepTheirLines() {
        String explanation = "Let:\n  T1 = w(x,1)\nThen:\n  - T1 < T2, because so.";

        assertThat(withAnomalies(explanation).lines().skip(1))
                .containsExactly(
                        "",
                        "  write cycle (G0) a0",
                        "  Let:",
                        "    T1 = w(x,1)",
                        "  Then:",
                        "    - T1 < T2, because so.");
    }

    @Test
    void explanationsThatAreTooManyTakeALineEach() {
        String explanation = "Let:\n  T1 = w(x,1)\n  T2 = w(x,2)\nThen:\n  - T1 < T2, because so.\n  - However.\n  - x";

        assertThat(withAnomalies(explanation, explanation, explanation).lines())
                .hasSize(1 + 3 * 2 + 7 + 2)
                .endsWith("  T1 < T2, because so. However. x");
    }

    @Test
    void aLongCycleIsShownWholeAndAlone() {
        String explanation = "Let:\n" + "  T1 = w(x,1)\n".repeat(5) + "Then:\n" + "  - x\n".repeat(5);

        assertThat(withAnomalies(explanation, explanation).lines())
                .hasSize(1 + 2 + 12 + 2)
                .endsWith("  and 1 more");
    }

    @Test
    void faultIsListedOnceAndOtherFaultsAreCounted() {
        List<ListedAnomaly> anomalies = List.of(
                listed("a1", "lost-update", null, "G2-item", "commit-order-cycle", "G2-item"),
                listed("a2", "G2-item", "a1"),
                listed("a3", "commit-order-cycle", "a1"));

        assertThat(CheckSummary.of(violated(anomalies, 2_400_000), OPTIONS, null)
                        .lines())
                .contains(
                        "  lost update (lost-update) a1  also: G2-item (2), commit-order-cycle", "  and 2,399,999 more")
                .noneMatch(line -> line.startsWith("  G2-item") || line.startsWith("  commit-order-cycle"));
    }

    @Test
    void asManyAnomaliesAreListedAsAskedFor() {
        List<ListedAnomaly> anomalies = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            anomalies.add(listed("a" + i, i < 5 ? "EXT" : "INT", null));
        }

        assertThat(CheckSummary.of(violated(anomalies, 7), OPTIONS, 6).lines())
                .filteredOn(line -> line.matches("  .* \\((EXT|INT)\\) a\\d"))
                .hasSize(6);
        assertThat(CheckSummary.of(violated(anomalies, 7), OPTIONS, 0).lines()).contains("  and 7 more");
    }

    @Test
    void defaultListsEachAnomalyType() {
        List<ListedAnomaly> anomalies = List.of(
                listed("a1", "EXT", null),
                listed("a2", "INT", null),
                listed("a3", "SESSION", null),
                listed("a4", "NOCONFLICT", null),
                listed("a5", "EXT", null));

        assertThat(CheckSummary.of(violated(anomalies, 5), OPTIONS, null).lines())
                .contains("  write conflict (NOCONFLICT) a4", "  and 1 more")
                .doesNotContain("  wrong read (EXT) a5");
    }

    @Test
    void lintIsCountedAndItsWorstLinesAreShown() {
        List<Lint> lint = List.of(
                new Lint("L01", "error", 3, "3 values written twice"),
                new Lint("L11", "warning", 1, "not committed"),
                new Lint("L16", "info", 1, "rows behind"));

        assertThat(CheckSummary.of(result(Verdict.VIOLATED, List.of(), 0, lint), OPTIONS, null)
                        .lines())
                .containsSequence(
                        "  lint: 1 error, 1 warning, 1 note",
                        "    error L01  3 values written twice",
                        "    warning L11  not committed")
                .noneMatch(line -> line.contains("rows behind"));
    }

    @Test
    void historyWithoutCommitsIsReportedAsEmpty() {
        Lint nothing = new Lint("L17", "warning", 1, "no committed transaction among 1");

        assertThat(CheckSummary.of(result(Verdict.HOLDS, List.of(), 0, List.of(nothing)), OPTIONS, null)
                        .lines())
                .contains("  serializable         holds, but no transaction was checked")
                .noneMatch(line -> line.contains("by "));
    }

    private static ListedAnomaly listed(String id, String type, String relatedTo, String... also) {
        return new ListedAnomaly(
                id,
                type,
                null,
                IsolationLevel.SERIALIZABLE,
                List.of(1L),
                "x",
                "because",
                new Tellings(null, relatedTo, List.of(also)));
    }

    private static RunResult violated(List<ListedAnomaly> anomalies, long count) {
        return result(Verdict.VIOLATED, anomalies, count, List.of());
    }

    private static RunResult result(Verdict verdict, List<ListedAnomaly> anomalies, long count, List<Lint> lint) {
        return new RunResult(
                "a.edn",
                verdict,
                new RunResult.Size(1, 1, 1, 1),
                new RunResult.How("values", "local", null, 0),
                Map.of(IsolationLevel.SERIALIZABLE, new LevelResult(verdict, "values", null, count, Map.of(), true, 0)),
                new RunResult.Report(anomalies, count, new RunResult.Faults(count, true), lint, null));
    }

    @Test
    void levelsAreListedFromWeakToStrong() {
        assertThat(LevelNames.parse("ser, PL-3,sser,Repeatable-Read,rc"))
                .containsExactly(
                        IsolationLevel.READ_COMMITTED,
                        IsolationLevel.PL_2_99,
                        IsolationLevel.PL_3,
                        IsolationLevel.SERIALIZABLE,
                        IsolationLevel.STRICT_SERIALIZABLE);
    }

    @Test
    void allIsTheSixAlsoBesideOthers() {
        assertThat(LevelNames.parse("all")).isEqualTo(IsolationLevel.all());
        assertThat(LevelNames.parse("all,PL-1")).hasSize(7).startsWith(IsolationLevel.PL_1);
    }

    @Test
    void unknownLevelSuggestsNearestNames() {
        assertThatThrownBy(() -> LevelNames.parse("si,serialisable"))
                .isInstanceOf(UsageException.class)
                .hasMessage("unknown level: level=serialisable nearest=serializable|view-serializable|linearizable;"
                        + " all is rc,ra,cc,pc,si,ser, docs/levels.md names the others");
    }

    private static String withAnomalies(String... explanations) {
        List<ListedAnomaly> anomalies = new ArrayList<>();
        for (String explanation : explanations) {
            anomalies.add(new ListedAnomaly(
                    "a" + anomalies.size(), "G0", null, IsolationLevel.PL_1, List.of(1L, 2L), "x", explanation));
        }
        RunResult result = new RunResult(
                "a.edn",
                Verdict.VIOLATED,
                new RunResult.Size(1, 1, 1, 1),
                new RunResult.How("values", "local", null, 0),
                Map.of(),
                new RunResult.Report(
                        anomalies, anomalies.size(), new RunResult.Faults(anomalies.size(), true), List.of(), null));
        return CheckSummary.of(result, OPTIONS, null);
    }

    private static String summary(ElleRuledOutLevels ruledOut, IsolationLevel... levels) {
        Map<IsolationLevel, LevelResult> results = new LinkedHashMap<>();
        for (IsolationLevel level : levels) {
            results.put(level, new LevelResult(Verdict.HOLDS, "values", null, 0, Map.of(), true, 0));
        }
        RunResult result = new RunResult(
                "a.edn",
                Verdict.HOLDS,
                new RunResult.Size(1, 1, 1, 1),
                new RunResult.How("values", "local", null, 0),
                results,
                new RunResult.Report(List.of(), 0, new RunResult.Faults(0, true), List.of(), ruledOut));
        return CheckSummary.of(result, OPTIONS, null);
    }
}
