package io.nightjar.jobs.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A plan of measurements: one axis that varies, perhaps one more that makes panels, and the checkers that are compared
 * at each point.
 *
 * <p>A point's settings are the settings of the plan, overridden by the series' own, then by the values of the axes. A
 * setting is an option of {@code generate} or of {@code check} without its dashes, or one of {@link PointSettings}.
 *
 * @param x {@link Axis#NONE} if the series are separate cases, which are listed in a table
 * @param panels null if it has only one panel
 */
public record BenchPlan(
        Heading heading,
        Limits limits,
        Axis x,
        @Nullable Axis panels,
        Map<String, String> settings,
        List<Series> series,
        String draw) {

    /**
     * The title and introduction that a page shows above the figures.
     *
     * @param name of the file without its extension
     * @param source the paper and figure whose experiment this is, or empty
     * @param note the point that a reader should note
     * @param position its position among others in a document; small numbers are first
     */
    public record Heading(String name, String title, String source, String note, int position) {}

    /**
     * Limits of a plan: the number of rounds, and the time and memory of a process.
     *
     * @param runs timed rounds
     * @param timeoutSeconds for each process
     * @param memoryCap resident bytes at which a process is ended
     */
    public record Limits(int runs, long timeoutSeconds, long memoryCap) {}

    private static final Pattern COUNT = Pattern.compile("=(\\d+)");

    /** The distances between the points of an axis: proportional to their values, to their logarithms, or all alike. */
    public enum Spacing {
        LINEAR,
        LOG,
        EVEN
    }

    /**
     * A setting and its values.
     *
     * @param along other settings that change with it, each with as many values
     */
    public record Axis(
            String setting, String label, Spacing spacing, List<String> values, Map<String, List<String>> along) {

        /** The axis of a plan whose series have no axis. */
        static final Axis NONE = new Axis("", "case", Spacing.LINEAR, List.of(""), Map.of());

        boolean isNone() {
            return setting.isEmpty();
        }
    }

    /**
     * One line of the chart: Nightjar with specific settings, or another checker.
     *
     * @param goal the intended cost; null if none was set
     * @param limit the reason why it misses its goal, as far as that is known; empty otherwise
     */
    public record Series(
            String name, @Nullable String rival, @Nullable Goal goal, String limit, Map<String, String> settings) {

        public boolean isRival() {
            return rival != null;
        }
    }

    /** One series at one point of the axes. */
    public record Point(String x, String panel, Series series, Map<String, String> settings) {

        /** Returns the name under which results are filed, equal in every run of the plan. */
        public String id() {
            return (panel.isEmpty() ? "" : panel + "/") + (x.isEmpty() ? "" : x + "/") + series.name();
        }
    }

    /** Returns every series at every point, panel by panel; sizes are multiplied by {@code scale}. */
    public List<Point> points(double scale) {
        List<Point> points = new ArrayList<>();
        for (String panel : panels == null ? List.of("") : panels.values()) {
            for (String location : x.values()) {
                for (Series one : series) {
                    points.add(point(location, panel, one, scale));
                }
            }
        }
        return points;
    }

    private Point point(String location, String panel, Series one, double scale) {
        Map<String, String> all = new TreeMap<>(settings);
        all.putAll(one.settings());
        if (!x.isNone()) {
            all.put(x.setting(), location);
            x.along()
                    .forEach((name, values) ->
                            all.put(name, values.get(x.values().indexOf(location))));
        }
        if (panels != null) {
            all.put(panels.setting(), panel);
        }
        String at = location;
        if (scale != 1 && all.containsKey(PointSettings.TRANSACTIONS)) {
            long scaled = Math.max(20, Math.round(Long.parseLong(all.get(PointSettings.TRANSACTIONS)) * scale));
            all.put(PointSettings.TRANSACTIONS, Long.toString(scaled));
            all.computeIfPresent(PointSettings.FAULT, (name, faults) -> scaled(faults, scale));
            at = x.setting().equals(PointSettings.TRANSACTIONS) ? Long.toString(scaled) : location;
        }
        return new Point(at, panel, one, new LinkedHashMap<>(all));
    }

    /** Returns faults with their counts scaled, so that the share of transactions stays; at least one of each kind. */
    private static String scaled(String faults, double scale) {
        return COUNT.matcher(faults)
                .replaceAll(count -> "=" + Math.max(1, Math.round(Long.parseLong(count.group(1)) * scale)));
    }
}
