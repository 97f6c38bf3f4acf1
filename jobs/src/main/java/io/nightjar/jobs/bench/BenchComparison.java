package io.nightjar.jobs.bench;

import io.nightjar.jobs.UsageException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Two sets of results point by point: faster, slower, or no difference that can be told from noise. */
public final class BenchComparison {

    /** Runs on each side below which nothing is said of a point. */
    public static final int FEWEST = 3;

    private BenchComparison() {}

    /** What is said of a point. */
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
     * @param fewestRuns of the side that has fewer
     */
    public record Row(
            String point, double first, double second, double least, double most, Answer answer, int fewestRuns) {

        public double ratio() {
            return second / first;
        }
    }

    /** The rows of points that both have. */
    public static List<Row> compare(List<BenchResult> first, List<BenchResult> second, String quantity) {
        Map<String, List<BenchResult>> before = byPoint(first);
        Map<String, List<BenchResult>> after = byPoint(second);
        List<Row> rows = new ArrayList<>();
        before.forEach((point, runs) -> {
            if (after.containsKey(point)) {
                rows.add(row(point, values(runs, quantity), values(after.get(point), quantity)));
            }
        });
        if (rows.isEmpty()) {
            throw new UsageException("the two have no point in common that counts");
        }
        return rows;
    }

    private static Map<String, List<BenchResult>> byPoint(List<BenchResult> results) {
        Map<String, List<BenchResult>> points = new LinkedHashMap<>();
        for (BenchResult result : results) {
            if (result.counts()) {
                points.computeIfAbsent(result.plan() + ": " + result.point(), point -> new ArrayList<>())
                        .add(result);
            }
        }
        return points;
    }

    private static double[] values(List<BenchResult> runs, String quantity) {
        return runs.stream().mapToDouble(run -> run.quantity(quantity)).toArray();
    }

    private static Row row(String point, double[] first, double[] second) {
        Medians.Ratio ratio = Medians.ratio(first, second);
        int fewestRuns = Math.min(first.length, second.length);
        Answer answer = fewestRuns < FEWEST
                ? Answer.UNKNOWN
                : !ratio.isClear() ? Answer.SAME : ratio.middle() < 1 ? Answer.FASTER : Answer.SLOWER;
        return new Row(
                point, Medians.median(first), Medians.median(second), ratio.least(), ratio.most(), answer, fewestRuns);
    }
}
