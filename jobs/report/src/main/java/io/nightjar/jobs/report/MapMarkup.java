package io.nightjar.jobs.report;

import static java.util.Objects.requireNonNull;

import io.nightjar.jobs.report.AnomalyMap.Axis;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Markup of anomalies over time and keys, with the rate and the concurrency of the history on the same axis. */
final class MapMarkup {

    /*
     *     anomalies   ▏ ▕▏   ▏▏        red ticks, as high as the number of anomalies
     *     rate        ▇▇▇▆▇▇▇▇▇▇▅
     *     open        ▂▂▅▂▂▅▅▂▂▂▂
     *                 0    5,000    9,856   an axis of time for all rows
     *     key 26      ░ ▓              a cell for a key and a column of time
     *     key 6       ▒     ░
     *
     * Drawings stretch with the page; their labels are text to the left, so that they keep their size on narrow pages.
     */

    private static final int PLOT_HEIGHT = 36;
    private static final int SHADES = 4;
    private static final int AXIS_LABELS = 5;
    private static final int MAX_NAME_CHARS = 40;

    private final Markup page;
    private final @Nullable AnomalyMap map;
    private final @Nullable HistoryShape shape;
    private final TimeScale scale;
    private final long first;
    private final long last;

    /**
     * @param map null without anomalies
     * @param shape null if the history is not available
     */
    MapMarkup(Markup page, @Nullable AnomalyMap map, @Nullable HistoryShape shape) {
        this.page = page;
        this.map = map;
        boolean isOneClock = map == null
                || shape != null && shape.hasTimes() && shape.areTimesOfClients() == (map.axis() == Axis.CLIENTS);
        this.shape = shape != null && shape.hasTimes() && isOneClock && (map == null || map.axis() != Axis.ROWS)
                ? shape
                : null;
        if (map != null) {
            this.first = map.first();
            this.last = map.last();
            this.scale = map.scale();
        } else {
            this.first = this.shape == null ? 0 : this.shape.rate().start();
            this.last = this.shape == null ? 1 : this.shape.rate().end();
            this.scale = (this.shape != null && this.shape.areTimesOfClients()
                            ? TimeScale.ofNanos(first, last)
                            : TimeScale.ofTicks(first, last))
                    .withRoundOrigin(first, last);
        }
    }

    boolean isEmpty() {
        return map == null && shape == null;
    }

    void write() {
        page.raw("<div class=\"map\">\n");
        if (map != null) {
            ticks(map);
        }
        if (shape != null) {
            rate(shape);
            concurrency(shape);
        }
        axis();
        if (map != null) {
            keys(map);
        }
        page.raw("</div>\n");
    }

    private void label(String name, String detail) {
        page.raw("<div class=\"map-label\"><b>").text(name).raw("</b> <span>");
        page.text(detail).raw("</span></div>");
    }

    private void ticks(AnomalyMap map) {
        long max = Arrays.stream(map.columns()).max().orElse(0);
        String detail = "up to " + ReadableText.number(max) + " in " + width(map.columns().length);
        label("anomalies", detail);
        begin("ticks", map.columns().length, PLOT_HEIGHT, "Anomalies over time: " + detail);
        columns("tick-red", map.columns(), max, 6);
        page.raw("</svg>\n");
    }

    private void rate(HistoryShape shape) {
        long[] counts = shape.rate().counts();
        long max = Arrays.stream(counts).max().orElse(0);
        String detail = "up to " + ReadableText.number(max) + " ended in " + width(counts.length);
        label("rate", detail);
        begin("ticks", counts.length, PLOT_HEIGHT, "Transactions over time: " + detail);
        columns("column", counts, max, 1);
        page.raw("</svg>\n");
    }

    private void concurrency(HistoryShape shape) {
        long[] open = shape.concurrency();
        long max = Arrays.stream(open).max().orElse(0);
        String detail = "up to " + ReadableText.number(max) + " transactions at once";
        label("open", detail);
        begin("ticks", open.length, PLOT_HEIGHT, "Open transactions over time: " + detail);
        columns("concurrent", open, max, 1);
        page.raw("</svg>\n");
    }

    private String width(int columns) {
        double width = TimeScale.distance(first, last) / columns;
        long rounded = Math.max(1, Math.round(width));
        return map != null && map.axis() == Axis.ROWS
                ? ReadableText.counted(rounded, "row")
                : scale.unit().equals("ticks") ? ReadableText.counted(rounded, "tick") : ReadableText.nanos(width);
    }

    private void begin(String style, int width, int height, String words) {
        page.raw("<svg class=\"" + style + "\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + width + " "
                + height + "\" height=\"" + height + "\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"");
        page.text(words).raw("\">");
    }

    /** Draws columns as one path, since a shape for each would dominate the size of the page. */
    private void columns(String style, long[] values, long max, double min) {
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < values.length; i++) {
            if (values[i] > 0) {
                double height = Math.max(min, (double) values[i] / max * PLOT_HEIGHT);
                path.append(String.format(Locale.ROOT, "M%d %d v-%.1fh1v%.1fz", i, PLOT_HEIGHT, height, height));
            }
        }
        page.raw("<path class=\"" + style + "\" d=\"" + path + "\"/>");
    }

    private void axis() {
        String clock = map != null && map.axis() == Axis.ROWS
                ? "row"
                : map != null && map.axis() == Axis.CLIENTS
                                || map == null && requireNonNull(shape).areTimesOfClients()
                        ? "clients' clock"
                        : "commit timestamp";
        label(clock, scale.words());
        page.raw("<div class=\"map-axis\">");
        double range = Math.max(1, TimeScale.distance(first, last));
        for (long time : scale.labels(first, last, AXIS_LABELS)) {
            double share = TimeScale.distance(first, time) / range;
            String side = share > 0.9 ? "right:" + percent(1 - share) : "left:" + percent(share);
            page.raw("<span" + (share > 0.9 ? " class=\"end\"" : "") + " style=\"" + side + "\">")
                    .text(scale.number(time))
                    .raw("</span>");
        }
        page.raw("</div>\n");
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.2f%%", 100 * share);
    }

    private void keys(AnomalyMap map) {
        List<AnomalyMap.Key> keys = map.keys();
        long named = keys.stream().filter(key -> key.name() != null).count();
        long max = keys.stream()
                .flatMapToLong(key -> Arrays.stream(key.columns()))
                .max()
                .orElse(1);
        for (AnomalyMap.Key key : keys) {
            page.raw("<div class=\"map-label key-row\"><b>");
            if (key.name() == null) {
                page.text("no key");
            } else {
                page.value(AnomalyMarkup.cut(key.name(), MAX_NAME_CHARS));
            }
            page.raw("</b> <span>").text(ReadableText.number(key.count())).raw("</span></div>");
            begin(
                    "cells",
                    key.columns().length,
                    1,
                    ReadableText.counted(key.count(), "anomaly", "anomalies") + " over time");
            for (int shade = 1; shade <= SHADES; shade++) {
                StringBuilder path = new StringBuilder();
                for (int i = 0; i < key.columns().length; i++) {
                    if (key.columns()[i] > 0 && shadeOf(key.columns()[i], max) == shade) {
                        path.append("M").append(i).append(" 0h1v1h-1z");
                    }
                }
                page.raw(path.isEmpty() ? "" : "<path class=\"shade" + shade + "\" d=\"" + path + "\"/>");
            }
            page.raw("</svg>\n");
        }
        page.raw("<div></div><p class=\"legend\">");
        page.text("Keys with the most anomalies, "
                + (named == map.keyCount()
                        ? "all " + ReadableText.number(named)
                        : ReadableText.number(named) + " of " + ReadableText.number(map.keyCount()))
                + ". Anomalies in a cell:");
        for (int shade = 1; shade <= SHADES; shade++) {
            long min = (long) Math.ceil(Math.pow(max, (shade - 1.0) / (SHADES - 1)) - 1e-9);
            if (shadeOf(min, max) == shade) {
                page.raw(" <span><i class=\"key shade" + shade + "\"></i>")
                        .text(ReadableText.number(min) + (min < max ? "+" : ""))
                        .raw("</span>");
            }
        }
        if (map.untimed() > 0) {
            page.raw(" <span>")
                    .text(ReadableText.number(map.untimed()) + " without a time are not drawn")
                    .raw("</span>");
        }
        page.raw("</p>");
    }

    /** Returns the shade of a cell, from 1; shades grow with the logarithm. */
    private static int shadeOf(long count, long max) {
        return max == 1 ? SHADES : 1 + (int) (Math.log(count) / Math.log(max) * (SHADES - 1) + 1e-9);
    }
}
