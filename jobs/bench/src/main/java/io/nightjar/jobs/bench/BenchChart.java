package io.nightjar.jobs.bench;

import io.nightjar.jobs.bench.BenchResult.Status;
import io.nightjar.jobs.bench.ChartLine.Point;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * One panel as SVG: medians as a line, the spread as bars, and at the upper edge the runs without a time.
 *
 * <p>It follows the reader's light or dark scheme, and its lines differ in their marks as well as in their colors.
 */
final class BenchChart {

    private static final int WIDTH = 760;
    private static final int HEIGHT = 400;
    private static final int LEFT = 66;
    private static final int RIGHT = 210;
    private static final int TOP = 46;
    private static final int BOTTOM = 52;
    private static final int MARK = 4;

    /** Empty space at both ends of the axis, for the signs of several lines at its first and last point. */
    private static final int INSET = 20;

    /** Minimum distance between two numbers below the axis; others are omitted. */
    private static final int LABEL = 30;

    private static final String NUMBER = "[0-9]+(\\.[0-9]+)?";

    /** Of a line in the legend. */
    private static final int CHARACTERS = 28;

    /** Ratio of largest to smallest above which seconds are drawn on a logarithmic axis. */
    private static final double WIDE = 15;

    private static final List<String> LIGHT =
            List.of("#1f5fa8", "#b3530e", "#2b7a4b", "#8b3a8f", "#8a6d00", "#b02a37", "#3c4a57", "#0f7c86");
    private static final List<String> DARK =
            List.of("#7fb4f0", "#f0a35e", "#7fcf9b", "#d89add", "#e3c65b", "#f08c96", "#b9c6d2", "#6fd3dc");

    private final StringBuilder svg = new StringBuilder(8192);
    private final BenchPlan.Axis axis;
    private final List<ChartLine> lines;
    private final String unit;
    private final Scale across;
    private final Scale up;
    private final boolean isNumeric;

    private BenchChart(BenchPlan.Axis axis, List<String> values, List<ChartLine> lines, String quantity) {
        this.axis = axis;
        this.lines = lines;
        this.unit = switch (quantity) {
            case "wall" -> "seconds, wall";
            case "cpu" -> "seconds, CPU";
            case "flips" -> "verdicts that turned";
            default -> "peak resident MB";
        };
        this.isNumeric =
                axis.spacing() != BenchPlan.Spacing.EVEN && values.stream().allMatch(value -> value.matches(NUMBER));
        List<Double> points = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            points.add(isNumeric ? Double.parseDouble(values.get(i)) : i);
        }
        this.across = isNumeric
                ? Scale.over(points, axis.spacing() == BenchPlan.Spacing.LOG, LEFT + INSET, WIDTH - RIGHT - INSET)
                : new Scale(-0.5, values.size() - 0.5, false, LEFT, WIDTH - RIGHT);
        List<Double> heights = new ArrayList<>();
        for (ChartLine line : lines) {
            for (Point point : line.points()) {
                if (point.runs() > 0) {
                    heights.add(point.min());
                    heights.add(point.max());
                }
            }
        }
        double min = heights.stream().mapToDouble(Double::doubleValue).min().orElse(1);
        double max = heights.stream().mapToDouble(Double::doubleValue).max().orElse(1);
        boolean isWide = min > 0 && max > WIDE * min; // nothing has no logarithm
        this.up = Scale.over(heights, isWide, HEIGHT - BOTTOM, TOP + 14);
    }

    /** @param values of the axis, in order, as they were measured */
    static String draw(String title, BenchPlan.Axis axis, List<String> values, List<ChartLine> lines, String quantity) {
        BenchChart chart = new BenchChart(axis, values, lines, quantity);
        chart.frame(title);
        chart.grid(values);
        for (int i = 0; i < lines.size(); i++) {
            chart.line(i, values);
        }
        chart.legend();
        return chart.svg.append("</svg>\n").toString();
    }

    private void frame(String title) {
        put(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\""
                        + " font-family=\"system-ui, sans-serif\" font-size=\"12\">%n",
                WIDTH, HEIGHT, escaped(title));
        put("<style>.t{fill:#24292f}.q{fill:#57606a}.g{stroke:#d8dee4}.b{fill:#ffffff}.n{stroke:#57606a;fill:none}");
        for (int i = 0; i < LIGHT.size(); i++) {
            put(".s%d{stroke:%s}.f%d{fill:%s}", i, LIGHT.get(i), i, LIGHT.get(i));
        }
        put("@media (prefers-color-scheme: dark){.t{fill:#e6edf3}.q{fill:#9aa4af}.g{stroke:#30363d}.b{fill:#0d1117}"
                + ".n{stroke:#9aa4af}");
        for (int i = 0; i < DARK.size(); i++) {
            put(".s%d{stroke:%s}.f%d{fill:%s}", i, DARK.get(i), i, DARK.get(i));
        }
        put("}</style>%n<rect class=\"b\" width=\"%d\" height=\"%d\"/>%n", WIDTH, HEIGHT);
        text(LEFT, 20, "start", "t", title, "font-weight=\"600\" font-size=\"14\"");
        text(LEFT, 36, "start", "q", unit, "");
        text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 12, "middle", "q", axis.label(), "");
    }

    private void grid(List<String> values) {
        for (double tick : up.ticks()) {
            double y = up.pixel(tick);
            rule(LEFT, y, WIDTH - RIGHT, y);
            text(LEFT - 8, y + 4, "end", "q", number(tick), "");
        }
        double last = Double.NEGATIVE_INFINITY;
        for (String value : isNumeric ? inOrder(values) : values) {
            double x = positionOf(value, values);
            if (x - last >= LABEL || !isNumeric) {
                rule(x, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 4);
                String label = value.matches(NUMBER) ? number(Double.parseDouble(value)) : value;
                text(x, HEIGHT - BOTTOM + 18, "middle", "q", label, "");
                last = x;
            }
        }
        rule(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM);
    }

    private static List<String> inOrder(List<String> values) {
        return values.stream()
                .sorted(Comparator.comparingDouble(Double::parseDouble))
                .toList();
    }

    private double positionOf(String value, List<String> values) {
        return across.pixel(isNumeric ? Double.parseDouble(value) : values.indexOf(value));
    }

    private void line(int index, List<String> values) {
        int colour = index % LIGHT.size();
        StringBuilder path = new StringBuilder();
        boolean isDown = false;
        for (Point point : lines.get(index).points()) {
            double x = positionOf(point.x(), values);
            if (point.runs() > 0) {
                double y = up.pixel(point.median());
                path.append(isDown ? 'L' : 'M').append(pixels(x)).append(' ').append(pixels(y));
                isDown = true;
                put(
                        "<line class=\"s%d\" stroke-width=\"1.2\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"/>%n",
                        colour, pixels(x), pixels(up.pixel(point.min())), pixels(x), pixels(up.pixel(point.max())));
                mark(index, x, y, tip(index, point));
            }
            if (point.status() != Status.OK) {
                isDown = false;
                // Signs of several lines are next to each other.
                sign(colour, point.status(), x + (index - (lines.size() - 1) / 2.0) * 11, TOP + 4, tip(index, point));
            }
        }
        if (!path.isEmpty()) {
            put("<path class=\"s%d\" fill=\"none\" stroke-width=\"1.8\" d=\"%s\"/>%n", colour, path);
        }
    }

    private String tip(int index, Point point) {
        String what = point.runs() > 0
                ? String.format(
                        Locale.ROOT,
                        "median %s, %s to %s, %d runs, %s",
                        number(point.median()),
                        number(point.min()),
                        number(point.max()),
                        point.runs(),
                        point.verdict())
                : point.status().word() + (point.status() == Status.WRONG ? ": " + point.verdict() : "");
        return lines.get(index).name() + " at " + point.x() + ": " + what;
    }

    /** Draws the mark of a series: circle, square, diamond, triangle, then again with a hole. */
    private void mark(int index, double x, double y, String tip) {
        String style = index / 4 % 2 == 0
                ? "class=\"s" + index % LIGHT.size() + " f" + index % LIGHT.size() + "\""
                : "class=\"s" + index % LIGHT.size() + " b\" stroke-width=\"1.6\"";
        String shape =
                switch (index % 4) {
                    case 0 ->
                        "<circle " + style + " cx=\"" + pixels(x) + "\" cy=\"" + pixels(y) + "\" r=\"" + MARK + "\"";
                    case 1 ->
                        polygon(style, x - MARK, y - MARK, x + MARK, y - MARK, x + MARK, y + MARK, x - MARK, y + MARK);
                    case 2 ->
                        polygon(style, x, y - MARK - 1.5, x + MARK + 1.5, y, x, y + MARK + 1.5, x - MARK - 1.5, y);
                    default -> polygon(style, x, y - MARK - 1, x + MARK + 1, y + MARK, x - MARK - 1, y + MARK);
                };
        put("%s><title>%s</title>%s%n", shape, escaped(tip), shape.startsWith("<circle") ? "</circle>" : "</polygon>");
    }

    /** Draws the sign of a run without a time: T ran out of time, M of memory, × wrong, ! failed, – not here. */
    private void sign(int colour, Status status, double x, double y, String tip) {
        put(
                "<text class=\"f%d\" x=\"%s\" y=\"%s\" text-anchor=\"middle\" font-weight=\"700\">%s<title>%s</title></text>%n",
                colour, pixels(x), pixels(y), sign(status), escaped(tip));
    }

    private static String sign(Status status) {
        return switch (status) {
            case OK -> "";
            case TIMEOUT -> "T";
            case MEMORY -> "M";
            case WRONG -> "×";
            case FAILED -> "!";
            case MISSING -> "–";
        };
    }

    private void legend() {
        double y = TOP + 10;
        double x = WIDTH - RIGHT + 20;
        for (int i = 0; i < lines.size(); i++, y += 20) {
            String name = lines.get(i).name();
            mark(i, x, y - 4, name);
            int end = name.length() <= CHARACTERS ? name.length() : name.lastIndexOf(' ', CHARACTERS);
            end = end < 0 ? CHARACTERS : end;
            text(x + 14, y, "start", "t", name.substring(0, end), "");
            if (end < name.length()) {
                y += 15;
                text(x + 14, y, "start", "t", shortened(name.substring(end).strip()), "");
            }
        }
        List<Status> used = lines.stream()
                .flatMap(line -> line.points().stream())
                .map(Point::status)
                .filter(status -> status != Status.OK)
                .distinct()
                .sorted()
                .toList();
        y += 8;
        for (Status status : used) {
            text(x, y, "middle", "q", sign(status), "font-weight=\"700\"");
            text(
                    x + 14,
                    y,
                    "start",
                    "q",
                    switch (status) {
                        case TIMEOUT -> "out of time";
                        case MEMORY -> "out of memory";
                        case WRONG -> "wrong verdict";
                        case FAILED -> "no verdict";
                        default -> "not here";
                    },
                    "");
            y += 18;
        }
    }

    private static String shortened(String name) {
        return name.length() <= CHARACTERS ? name : name.substring(0, CHARACTERS - 1) + "…";
    }

    private void rule(double fromX, double fromY, double toX, double toY) {
        put(
                "<line class=\"g\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"/>%n",
                pixels(fromX), pixels(fromY), pixels(toX), pixels(toY));
    }

    private void text(double x, double y, String anchor, String style, String text, String more) {
        put(
                "<text class=\"%s\" x=\"%s\" y=\"%s\" text-anchor=\"%s\" %s>%s</text>%n",
                style, pixels(x), pixels(y), anchor, more, escaped(text));
    }

    private static String polygon(String style, double... corners) {
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < corners.length; i += 2) {
            points.append(i == 0 ? "" : " ")
                    .append(pixels(corners[i]))
                    .append(',')
                    .append(pixels(corners[i + 1]));
        }
        return "<polygon " + style + " points=\"" + points + "\"";
    }

    private void put(String format, Object... arguments) {
        svg.append(String.format(Locale.ROOT, format, arguments));
    }

    private static String pixels(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    /** Formats a number: 1200000 is 1.2M, 0.05 stays. */
    static String number(double value) {
        if (Double.isNaN(value)) {
            return "–";
        }
        double size = Math.abs(value);
        if (size >= 1e9) {
            return trimmed(value / 1e9) + "G";
        }
        if (size >= 1e6) {
            return trimmed(value / 1e6) + "M";
        }
        return size >= 1e4 ? trimmed(value / 1e3) + "k" : trimmed(value);
    }

    private static String trimmed(double value) {
        String text = Math.abs(value) >= 100
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, "%.3g", value);
        if (text.contains("e")) {
            return text;
        }
        return text.contains(".") ? text.replaceAll("0+$", "").replaceAll("\\.$", "") : text;
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replaceAll("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f]", "?");
    }
}
