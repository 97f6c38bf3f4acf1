package io.nightjar.jobs.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.jobs.bench.BenchComparison.Answer;
import io.nightjar.jobs.bench.BenchResult.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BenchComparisonTest {

    @Test
    void aClearDifferenceIsFasterOrSlower() {
        assertThat(answer(new double[] {2.0, 2.1, 2.05, 2.02, 2.07}, new double[] {1.0, 1.1, 1.05, 1.02, 1.07}))
                .isEqualTo(Answer.FASTER);
        assertThat(answer(new double[] {1.0, 1.1, 1.05, 1.02, 1.07}, new double[] {2.0, 2.1, 2.05, 2.02, 2.07}))
                .isEqualTo(Answer.SLOWER);
    }

    @Test
    void differenceWithinSpreadIsNone() {
        assertThat(answer(new double[] {1.0, 1.3, 1.1, 0.9, 1.2}, new double[] {1.05, 1.2, 1.25, 0.95, 1.15}))
                .isEqualTo(Answer.SAME);
    }

    @Test
    void fourRunsReportNothing() {
        assertThat(answer(new double[] {1, 1, 1, 1}, new double[] {9, 9, 9, 9})).isEqualTo(Answer.UNKNOWN);
    }

    @Test
    void roundSlowForBothIsNoDifference() {
        List<BenchResult> first = results(1.0, 1.4, 0.8, 1.2, 1.7, 0.9);
        List<BenchResult> second = results(1.1, 1.55, 0.89, 1.33, 1.86, 0.99);

        assertThat(BenchComparison.compare(first, second, "cpu", false).get(0).answer())
                .isEqualTo(Answer.SAME);
        assertThat(BenchComparison.compare(first, second, "cpu", true).get(0).answer())
                .isEqualTo(Answer.SLOWER);
    }

    @Test
    void onlyRoundsThatBothHaveAreComparedInTurn() {
        List<BenchResult> first = results(1, 1, 1, 1, 1, 50);
        List<BenchResult> second = results(1, 1, 1, 1, 1);

        BenchComparison.Row row =
                BenchComparison.compare(first, second, "cpu", true).get(0);

        assertThat(row.answer()).isEqualTo(Answer.SAME);
        assertThat(row.minRuns()).isEqualTo(5);
    }

    @Test
    void roundsThatDoNotCountAreLeftOut() {
        List<BenchResult> first = results(1, 1, 1);
        first.add(result(0, 100, Status.OK));
        first.add(result(4, 100, Status.WRONG));

        assertThat(BenchComparison.compare(first, results(1, 1, 1), "cpu", false)
                        .get(0)
                        .ratio())
                .isEqualTo(1);
    }

    @Test
    void axesEndAtRoundNumbers() {
        assertThat(Scale.over(List.of(0.34, 7.2), true, 0, 100).ticks())
                .hasSize(4)
                .last()
                .isEqualTo(10.0);
        assertThat(Scale.over(List.of(10.0, 47.0), false, 0, 100).ticks())
                .containsExactly(0.0, 10.0, 20.0, 30.0, 40.0, 50.0);
        assertThat(Scale.over(List.of(0.0, 0.0), false, 0, 100).ticks()).first().isEqualTo(0.0);
        assertThat(Scale.over(List.of(0.0, 0.0), false, 0, 100).max()).isEqualTo(1.0);
        assertThat(BenchChart.number(1_200_000)).isEqualTo("1.2M");
        assertThat(BenchChart.number(0.05)).isEqualTo("0.05");
    }

    private static Answer answer(double[] first, double[] second) {
        return BenchComparison.compare(results(first), results(second), "cpu", false)
                .get(0)
                .answer();
    }

    private static List<BenchResult> results(double... seconds) {
        List<BenchResult> results = new ArrayList<>();
        for (double one : seconds) {
            results.add(result(results.size() + 1, one, Status.OK));
        }
        return results;
    }

    private static BenchResult result(int round, double seconds, Status status) {
        return new BenchResult(
                new BenchResult.RunKey("p", "10/a", "10", "", "a", "nightjar", round),
                status,
                "holds",
                new BenchResult.Cost(seconds, seconds, 1000, 0, 0, 0),
                "c",
                "",
                Map.of(),
                Map.of());
    }
}
