package io.nightjar.jobs.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What {@link ScalingModel} says of more cores and machines, beside what was measured on as many as there were. */
final class ScalingTable {

    /** Cores of one machine, then machines of eight cores. */
    private static final int[][] PLACES = {{1, 1}, {1, 2}, {1, 4}, {1, 8}, {1, 16}, {1, 32}, {4, 8}, {16, 8}};

    /** The series that tells what a check costs whose history is hardly there. */
    private static final String START = "start";

    /** 10 gigabits, of which a stream gets most. */
    private static final double LINK = 1e9;

    private static final double BYTES_PER_TRANSACTION = 15 * 16;
    private static final double MILLION = 1e6;

    private ScalingTable() {}

    /**
     * Returns the rows of a table, its head first; none where the runs do not tell enough.
     *
     * @param plan what the plan measured along threads: a history, of which the run with most threads was profiled, and {@link #START}
     * @param cores of the machine
     */
    static List<List<String>> rows(List<BenchResult> plan, int cores) {
        BenchResult profiled = null;
        for (BenchResult run : plan) {
            if (run.details().containsKey(HotMethods.MEMBER)) {
                profiled = run;
            }
        }
        if (profiled == null) {
            return List.of();
        }
        String series = profiled.series();
        List<BenchResult> runs =
                plan.stream().filter(run -> run.series().equals(series)).toList();
        List<BenchResult> starts =
                plan.stream().filter(run -> run.series().equals(START)).toList();
        ScalingModel.Costs costs = costs(profiled, median(runs, "1", "cpu"), median(starts, "1", "wall"));
        List<List<String>> rows = new ArrayList<>();
        rows.add(
                List.of("machines x cores", "model, wall s", "times as fast as one core", "measured, wall s", "error"));
        double one = ScalingModel.wallSeconds(costs, 1, 1);
        for (int[] place : PLACES) {
            double said = ScalingModel.wallSeconds(costs, place[0], place[1]);
            double measured = place[0] == 1 ? median(runs, Integer.toString(place[1]), "wall") : Double.NaN;
            boolean isMeasured = !Double.isNaN(measured) && place[1] <= cores;
            rows.add(List.of(
                    place[0] + " x " + place[1],
                    String.format(Locale.ROOT, "%.2f", said),
                    String.format(Locale.ROOT, "%.1f", one / said),
                    isMeasured ? String.format(Locale.ROOT, "%.2f", measured) : "",
                    isMeasured ? String.format(Locale.ROOT, "%+.0f %%", 100 * (said / measured - 1)) : ""));
        }
        return rows;
    }

    private static ScalingModel.Costs costs(BenchResult profiled, double cpuSeconds, double startSeconds) {
        Map<String, Object> hot = ResultsFile.map(profiled.details().get(HotMethods.MEMBER));
        Map<String, Object> threads = ResultsFile.map(hot.get(HotMethods.THREADS));
        double stopped = ((Number) hot.get(HotMethods.STOPPED)).doubleValue();
        double working = cpuSeconds - startSeconds - stopped;
        return new ScalingModel.Costs(
                startSeconds,
                working * share(threads, "read"),
                working * share(threads, "main"),
                working * share(threads, "check"),
                stopped,
                BYTES_PER_TRANSACTION * MILLION,
                LINK);
    }

    private static double share(Map<String, Object> threads, String kind) {
        return threads.get(kind) instanceof Number percent ? percent.doubleValue() / 100 : 0;
    }

    private static double median(List<BenchResult> runs, String x, String quantity) {
        return Medians.median(runs.stream()
                .filter(run -> run.counts() && run.x().equals(x))
                .mapToDouble(run -> run.quantity(quantity))
                .toArray());
    }
}
