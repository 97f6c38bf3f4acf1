package io.nightjar.jobs.bench;

import io.nightjar.jobs.UsageException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Two sets of results, compared point by point: faster, slower, or no significant difference. */
public final class BenchComparison {

    /**
     * Minimum number of runs on each side for a comparison of a point: with fewer, too many results are wrong (decision
     * 0085).
     */
    public static final int MIN_RUNS = 5;

    private BenchComparison() {}

    /** The outcome for a point. */
    public enum Answer {
        FASTER,
        SLOWER,
        SAME,
        /** Too few runs on a side. */
        UNKNOWN
    }

    /**
     * One point: medians of both sides, and their ratio with its interval.
     *
     * @param minRuns of the side that has fewer
     */
    public record Row(String point, double first, double second, double min, double max, Answer answer, int minRuns) {

        public double ratio() {
            return second / first;
        }
    }

    /**
     * Returns the rows of points that both have.
     *
     * @param inTurn whether both were measured in the same rounds, which are then compared round by round
     */
    public static List<Row> compare(
            List<BenchResult> first, List<BenchResult> second, String quantity, boolean inTurn) {
        Map<String, List<BenchResult>> before = byPoint(first);
        Map<String, List<BenchResult>> after = byPoint(second);
        List<Row> rows = new ArrayList<>();
        before.forEach((point, runs) -> {
            List<BenchResult> others = after.getOrDefault(point, List.of());
            if (!others.isEmpty()) {
                checkSame(point, runs.get(0).settings(), others.get(0).settings());
                rows.add(
                        inTurn
                                ? rowInTurn(point, runs, others, quantity)
                                : row(point, values(runs, quantity), values(others, quantity), false));
            }
        });
        if (rows.isEmpty()) {
            throw new UsageException("the two have no point in common that counts");
        }
        return rows;
    }

    private static void checkSame(String point, Map<String, String> first, Map<String, String> second) {
        if (!first.isEmpty() && !second.isEmpty() && !first.equals(second)) {
            throw new UsageException("the two measured a point with other settings: point=" + point + " first=" + first
                    + " second=" + second);
        }
    }

    private static Row rowInTurn(String point, List<BenchResult> first, List<BenchResult> second, String quantity) {
        Map<Integer, BenchResult> ofRound = new HashMap<>();
        second.forEach(run -> ofRound.put(run.runKey().round(), run));
        List<BenchResult> both = first.stream()
                .filter(run -> ofRound.containsKey(run.runKey().round()))
                .toList();
        return row(
                point,
                values(both, quantity),
                values(
                        both.stream()
                                .map(run -> ofRound.get(run.runKey().round()))
                                .toList(),
                        quantity),
                true);
    }

    private static Map<String, List<BenchResult>> byPoint(List<BenchResult> results) {
        Map<String, List<BenchResult>> points = new LinkedHashMap<>();
        for (BenchResult result : results) {
            if (result.counts()) {
                points.computeIfAbsent(
                                result.runKey().plan() + ": " + result.runKey().point(), point -> new ArrayList<>())
                        .add(result);
            }
        }
        return points;
    }

    private static double[] values(List<BenchResult> runs, String quantity) {
        return runs.stream().mapToDouble(run -> run.quantity(quantity)).toArray();
    }

    private static Row row(String point, double[] first, double[] second, boolean inTurn) {
        Medians.Ratio ratio = inTurn ? Medians.ratioInTurn(first, second) : Medians.ratio(first, second);
        int minRuns = Math.min(first.length, second.length);
        Answer answer = minRuns < MIN_RUNS
                ? Answer.UNKNOWN
                : !ratio.isClear() ? Answer.SAME : ratio.middle() < 1 ? Answer.FASTER : Answer.SLOWER;
        return new Row(point, Medians.median(first), Medians.median(second), ratio.min(), ratio.max(), answer, minRuns);
    }
}
