package io.nightjar.jobs.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The predictions of {@link ScalingModel} for more cores and machines, next to measurements on as many as were
 * available.
 */
final class ScalingTable {

    /** Cores of one machine, then machines of eight cores. */
    private static final int[][] CLUSTERS = {{1, 1}, {1, 2}, {1, 4}, {1, 8}, {1, 16}, {1, 32}, {4, 8}, {16, 8}};

    /** The series with the cost of a check of a nearly empty history. */
    private static final String START = "start";

    /** 10 gigabits, of which a stream gets most. */
    private static final double LINK = 1e9;

    private static final double BYTES_PER_TRANSACTION = 15 * 16;
    private static final double MILLION = 1e6;

    private ScalingTable() {}

    /**
     * Returns the rows of a table, its head first; none if the runs do not suffice.
     *
     * @param plan the plan's results along threads: a history, of which the run with the maximum number of threads was
     * profiled, and {@link #START}
     * @param cores of the machine
     */
    static List<List<String>> rows(List<BenchResult> plan, int cores) {
        // run with the minimum number of threads: the cost of compilers and the collector for them
        BenchResult first = null;
        BenchResult profiled = null; // run with the maximum number of threads, which distinguishes most thread kinds
        for (BenchResult run : plan) {
            if (run.details().containsKey(HotMethods.MEMBER)) {
                first = first == null ? run : first;
                profiled = run;
            }
        }
        if (first == null || profiled == null) {
            return List.of();
        }
        BenchResult alone = first;
        String series = profiled.runKey().series();
        List<BenchResult> runs = plan.stream()
                .filter(run -> run.runKey().series().equals(series))
                .toList();
        List<BenchResult> starts =
                plan.stream().filter(run -> run.runKey().series().equals(START)).toList();
        List<List<String>> rows = new ArrayList<>();
        rows.add(
                List.of("machines x cores", "model, wall s", "times as fast as one core", "measured, wall s", "error"));
        double one = ScalingModel.wallSeconds(costs(alone, profiled, runs, starts, 1), 1, 1);
        for (int[] cluster : CLUSTERS) {
            double predicted = ScalingModel.wallSeconds(
                    costs(alone, profiled, runs, starts, Math.min(cluster[1], cores)), cluster[0], cluster[1]);
            double measured = cluster[0] == 1 ? measured(runs, cluster[1], cores) : Double.NaN;
            boolean isMeasured = !Double.isNaN(measured);
            rows.add(List.of(
                    cluster[0] + " x " + cluster[1],
                    String.format(Locale.ROOT, "%.2f", predicted),
                    String.format(Locale.ROOT, "%.1f", one / predicted),
                    isMeasured ? String.format(Locale.ROOT, "%.2f", measured) : "",
                    isMeasured
                            ? String.format(Locale.ROOT, "%+d %%", Math.round(100 * (predicted / measured - 1)))
                            : ""));
        }
        return rows;
    }

    /** Returns the seconds on exactly that number of cores, or NaN if no run had it. */
    private static double measured(List<BenchResult> runs, int wanted, int cores) {
        String text = Integer.toString(wanted);
        return wanted > cores
                ? Double.NaN
                : median(
                        runs.stream()
                                .filter(run -> wanted == cores
                                        || text.equals(run.settings().get(PointSettings.CORES)))
                                .toList(),
                        text,
                        "wall");
    }

    /**
     * Returns the cost of the check for one core, divided among threads as a profile divides its samples; the start
     * alone has as many cores as the machine has.
     *
     * @param alone the profiled run of the minimum number of threads: its pauses and compilers
     * @param profiled the profiled run of the maximum number of threads: the share of work of each
     */
    private static ScalingModel.Costs costs(
            BenchResult alone, BenchResult profiled, List<BenchResult> runs, List<BenchResult> starts, int cores) {
        Map<String, Object> hot = hot(alone);
        Map<String, Object> threads = ResultsFile.map(hot(profiled).get(HotMethods.THREADS));
        double stopped = number(hot, HotMethods.STOPPED);
        double compiled = number(hot, HotMethods.COMPILED);
        double read = number(threads, "read");
        double relate = number(threads, "main");
        double sweep = number(threads, "sweep") + number(threads, "check");
        double cpu = median(runs, "1", "cpu") - median(starts, "1", "cpu");
        double working = cpu - stopped - compiled;
        // pauses are measured by the clock: concurrent with other work they were long, and carry no information
        if (working <= 0) {
            stopped = 0;
            compiled = 0;
            working = cpu;
        }
        double unit = working / (read + relate + sweep);
        return new ScalingModel.Costs(
                median(starts, Integer.toString(cores), "wall"),
                compiled,
                read * unit,
                relate * unit,
                sweep * unit,
                stopped,
                BYTES_PER_TRANSACTION * MILLION,
                LINK);
    }

    private static Map<String, Object> hot(BenchResult run) {
        return ResultsFile.map(run.details().get(HotMethods.MEMBER));
    }

    private static double number(Map<String, Object> members, String name) {
        return members.get(name) instanceof Number number ? number.doubleValue() : 0;
    }

    private static double median(List<BenchResult> runs, String x, String quantity) {
        return Medians.median(runs.stream()
                .filter(run -> run.counts() && run.runKey().x().equals(x))
                .mapToDouble(run -> run.quantity(quantity))
                .toArray());
    }
}
