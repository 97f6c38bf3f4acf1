package io.nightjar.jobs.bench;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * One run of one point, as a line of {@code results.jsonl}.
 *
 * @param settings of the point, of its history and of the check; empty in results of builds that did not note them
 * @param details data of some runs only: stages, spilled bytes, latencies
 */
public record BenchResult(
        RunKey runKey,
        Status status,
        String verdict,
        Cost cost,
        String commit,
        String message,
        Map<String, String> settings,
        Map<String, Object> details) {

    private static final String SETTINGS = "settings";

    /**
     * Identifies a run: the point of a plan, the checker and the round.
     *
     * @param checker {@code nightjar}, the name given to another build of it, or the other checker's
     * @param round counts from 1; 0 is the run that warms the page cache and measures stages, whose times do not count
     */
    public record RunKey(String plan, String point, String x, String panel, String series, String checker, int round) {}

    /**
     * The time, memory and load of a run, and its exit code.
     *
     * @param wallSeconds until it exited or was ended
     * @param cpuSeconds NaN where it was ended
     */
    public record Cost(
            double wallSeconds, double cpuSeconds, long peakBytes, int exitCode, double loadBefore, double loadAfter) {}

    /** The outcome of a run. */
    public enum Status {
        /** The verdict is the expected one. */
        OK,
        /** Its verdict differs from the expected one. */
        WRONG,
        /** It was ended after the plan's time. */
        TIMEOUT,
        /** It was ended above the plan's memory. */
        MEMORY,
        /** It ended without a verdict. */
        FAILED,
        /** It is not installed here, or does not support the level. */
        MISSING;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Returns the name of a line of a chart or table: with its checker, unless that is clear. */
    public String line() {
        boolean isClear = runKey.checker().equals("nightjar")
                || runKey.series()
                        .toLowerCase(Locale.ROOT)
                        .contains(runKey.checker().toLowerCase(Locale.ROOT));
        return isClear ? runKey.series() : runKey.series() + " (" + runKey.checker() + ")";
    }

    /** Returns whether the run contributes to the median: only if its time is meaningful. */
    boolean counts() {
        return status == Status.OK && runKey.round() > 0;
    }

    double quantity(String name) {
        return switch (name) {
            case "wall" -> cost.wallSeconds();
            case "cpu" -> cost.cpuSeconds();
            case "rss" -> cost.peakBytes() / 1e6;
            case "flips" -> watched("flips");
            default -> throw new IllegalArgumentException("unknown quantity: name=" + name);
        };
    }

    private double watched(String name) {
        Object number = details.get(RunDetails.WATCH) instanceof Map<?, ?> watch ? watch.get(name) : null;
        return number instanceof Number known ? known.doubleValue() : Double.NaN;
    }

    Map<String, Object> members() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("kind", "run");
        members.put("plan", runKey.plan());
        members.put("point", runKey.point());
        members.put("x", runKey.x());
        members.put("panel", runKey.panel());
        members.put("series", runKey.series());
        members.put("checker", runKey.checker());
        members.put("round", runKey.round());
        members.put("status", status.word());
        members.put("verdict", verdict);
        members.put("wall_s", cost.wallSeconds());
        members.put("cpu_s", cost.cpuSeconds());
        members.put("peak_rss_bytes", cost.peakBytes());
        members.put("exit_code", cost.exitCode());
        members.put("load_before", cost.loadBefore());
        members.put("load_after", cost.loadAfter());
        members.put("commit", commit);
        members.put("message", message);
        members.put(SETTINGS, settings);
        members.putAll(details);
        return members;
    }

    static BenchResult of(Map<String, Object> members) {
        Map<String, Object> rest = new LinkedHashMap<>(members);
        rest.remove("kind");
        Map<String, String> settings = new LinkedHashMap<>();
        ResultsFile.map(rest.remove(SETTINGS)).forEach((name, value) -> settings.put(name, String.valueOf(value)));
        return new BenchResult(
                new BenchResult.RunKey(
                        text(rest, "plan"),
                        text(rest, "point"),
                        text(rest, "x"),
                        text(rest, "panel"),
                        text(rest, "series"),
                        text(rest, "checker"),
                        (int) number(rest, "round")),
                Status.valueOf(text(rest, "status").toUpperCase(Locale.ROOT)),
                text(rest, "verdict"),
                new BenchResult.Cost(
                        number(rest, "wall_s"),
                        number(rest, "cpu_s"),
                        (long) number(rest, "peak_rss_bytes"),
                        (int) number(rest, "exit_code"),
                        number(rest, "load_before"),
                        number(rest, "load_after")),
                text(rest, "commit"),
                text(rest, "message"),
                settings,
                rest);
    }

    private static String text(Map<String, Object> members, String name) {
        Object value = members.remove(name);
        return value == null ? "" : value.toString();
    }

    private static double number(Map<String, Object> members, String name) {
        return members.remove(name) instanceof Number number ? number.doubleValue() : Double.NaN;
    }
}
