package io.nightjar.jobs.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import io.nightjar.formats.level.RuledOut;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResult.LevelResult;
import io.nightjar.jobs.RunResult.ListedAnomaly;
import io.nightjar.jobs.UsageException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CheckSummaryTest {

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
        RuledOut ruledOut = LevelLattice.ruledOut(EnumSet.of(Anomaly.G2_ITEM));

        assertThat(summary(ruledOut, IsolationLevel.PL_3).lines())
                .contains("  ruled out of Elle's levels: repeatable-read by G2-item; so also serializable,"
                        + " strong-serializable, strong-session-serializable");
    }

    @Test
    void manyStrongerLevelsAreCounted() {
        RuledOut ruledOut = LevelLattice.ruledOut(EnumSet.of(Anomaly.G1C));

        assertThat(summary(ruledOut, IsolationLevel.PL_3).lines())
                .contains("  ruled out of Elle's levels: read-committed by G1c; so also 21 stronger ones");
    }

    @Test
    void nothingRuledOutIsNoLine() {
        assertThat(summary(RuledOut.NONE, IsolationLevel.PL_3).lines()).hasSize(2);
    }

    @Test
    void theStepsOfACycleKeepTheirLines() {
        String explanation = "Let:\n  T1 = w(x,1)\nThen:\n  - T1 < T2, because so.";

        assertThat(withAnomalies(explanation).lines().skip(1))
                .containsExactly("", "  G0 a0", "  Let:", "    T1 = w(x,1)", "  Then:", "    - T1 < T2, because so.");
    }

    @Test
    void explanationsThatAreTooManyTakeALineEach() {
        String explanation = "Let:\n  T1 = w(x,1)\n  T2 = w(x,2)\nThen:\n  - T1 < T2, because so.\n  - However.\n  - x";

        assertThat(withAnomalies(explanation, explanation, explanation).lines())
                .hasSize(1 + 3 * 2 + 7 + 2)
                .endsWith("  Let: T1 = w(x,1) T2 = w(x,2) Then: - T1 < T2, because so. - However. - x");
    }

    @Test
    void aLongCycleIsShownWholeAndAlone() {
        String explanation = "Let:\n" + "  T1 = w(x,1)\n".repeat(5) + "Then:\n" + "  - x\n".repeat(5);

        assertThat(withAnomalies(explanation, explanation).lines()).hasSize(1 + 2 + 12);
    }

    @Test
    void levelsAreListedFromWeakToStrong() {
        assertThat(CheckCommand.parseLevels("ser, PL-3,sser,Repeatable-Read,rc"))
                .containsExactly(
                        IsolationLevel.READ_COMMITTED,
                        IsolationLevel.PL_2_99,
                        IsolationLevel.PL_3,
                        IsolationLevel.SERIALIZABLE,
                        IsolationLevel.STRICT_SERIALIZABLE);
    }

    @Test
    void allIsTheSixAlsoBesideOthers() {
        assertThat(CheckCommand.parseLevels("all")).isEqualTo(IsolationLevel.all());
        assertThat(CheckCommand.parseLevels("all,PL-1")).hasSize(7).startsWith(IsolationLevel.PL_1);
    }

    @Test
    void anUnknownLevelIsToldItsNearestNames() {
        assertThatThrownBy(() -> CheckCommand.parseLevels("si,serialisable"))
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
                "a.edn", Verdict.VIOLATED, 1, 1, 1, 1, "values", "local", null, 0, Map.of(), anomalies, null);
        return CheckSummary.of(result, null);
    }

    private static String summary(RuledOut ruledOut, IsolationLevel... levels) {
        Map<IsolationLevel, LevelResult> results = new LinkedHashMap<>();
        for (IsolationLevel level : levels) {
            results.put(level, new LevelResult(Verdict.HOLDS, "values", null, 0, Map.of(), 0));
        }
        RunResult result = new RunResult(
                "a.edn", Verdict.HOLDS, 1, 1, 1, 1, "values", "local", null, 0, results, List.of(), ruledOut);
        return CheckSummary.of(result, null);
    }
}
