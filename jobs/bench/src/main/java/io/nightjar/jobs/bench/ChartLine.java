package io.nightjar.jobs.bench;

import io.nightjar.jobs.bench.BenchResult.Status;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One series of one panel: its points in the order of the axis. */
record ChartLine(String name, List<Point> points) {

    /**
     * All runs of one point.
     *
     * @param status of the last run
     * @param verdict of the last run that counts, or of the last run if none does
     * @param median of the runs that count; NaN if none does
     */
    record Point(String x, Status status, double median, double min, double max, int runs, String verdict) {}

    /** Returns the lines of a panel, in the order in which they were measured. */
    static List<ChartLine> of(List<BenchResult> results, String panel, List<String> axis, String quantity) {
        Map<String, Map<String, List<BenchResult>>> lines = new LinkedHashMap<>();
        for (BenchResult result : results) {
            if (result.runKey().panel().equals(panel)) {
                lines.computeIfAbsent(result.line(), line -> new LinkedHashMap<>())
                        .computeIfAbsent(result.runKey().x(), x -> new ArrayList<>())
                        .add(result);
            }
        }
        List<ChartLine> drawn = new ArrayList<>();
        lines.forEach((name, points) -> {
            List<Point> line = new ArrayList<>();
            for (String x : axis) {
                if (points.containsKey(x)) {
                    line.add(point(x, points.get(x), quantity));
                }
            }
            drawn.add(new ChartLine(name, line));
        });
        return drawn;
    }

    private static Point point(String x, List<BenchResult> runs, String quantity) {
        double[] values = runs.stream()
                .filter(BenchResult::counts)
                .mapToDouble(run -> run.quantity(quantity))
                .toArray();
        BenchResult last = runs.get(runs.size() - 1);
        double min = Double.NaN;
        double max = Double.NaN;
        for (double value : values) {
            min = Double.isNaN(min) ? value : Math.min(min, value);
            max = Double.isNaN(max) ? value : Math.max(max, value);
        }
        String verdict = last.verdict();
        for (BenchResult run : runs) {
            verdict = run.counts() ? run.verdict() : verdict;
        }
        return new Point(x, last.status(), Medians.median(values), min, max, values.length, verdict);
    }
}
