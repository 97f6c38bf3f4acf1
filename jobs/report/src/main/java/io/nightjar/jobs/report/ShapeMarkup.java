package io.nightjar.jobs.report;

import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.report.HeavyKeys.HeavyKey;
import io.nightjar.jobs.report.PlotDrawing.Row;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Markup of the shape of a history as small plots. */
final class ShapeMarkup {

    private static final int MAX_KEYS = 8;
    private static final int MAX_SESSIONS = 96;

    private final Markup page;
    private final HistoryShape shape;
    private final RunResult result;

    ShapeMarkup(Markup page, HistoryShape shape, RunResult result) {
        this.page = page;
        this.shape = shape;
        this.result = result;
    }

    void write() {
        page.raw("<div class=\"plots\">");
        kinds();
        latency();
        keys();
        sessions();
        page.raw("</div>\n");
    }

    private void plot(String title, String caption, String svg) {
        page.raw("<figure><figcaption><b>").text(title).raw("</b> ");
        page.text(caption).raw("</figcaption>").raw(svg).raw("</figure>\n");
    }

    private void kinds() {
        List<Row> rows = new ArrayList<>();
        for (Map.Entry<String, Long> kind : shape.byKind().entrySet()) {
            rows.add(row(wordOf(kind.getKey()), kind.getValue(), shape.ops()));
        }
        for (Map.Entry<String, Long> status : shape.byStatus().entrySet()) {
            if (status.getValue() > 0) {
                rows.add(row(status.getKey(), status.getValue(), shape.txns()));
            }
        }
        double each = shape.txns() == 0 ? 0 : (double) shape.ops() / shape.txns();
        String caption = "%.1f in each transaction; how transactions ended".formatted(each);
        plot("Operations", caption, PlotDrawing.rows(rows, words(rows)));
    }

    private static String wordOf(String kind) {
        return switch (kind) {
            case "r" -> "reads";
            case "w" -> "writes";
            case "append" -> "appends";
            case "add" -> "adds";
            case "inc" -> "increments";
            case "p" -> "predicates";
            case "v" -> "passed over";
            case "d" -> "deletes";
            default -> kind;
        };
    }

    private static Row row(String name, long value, long of) {
        long percent = of == 0 ? 0 : Math.round(100.0 * value / of);
        return new Row(
                name, value, ReadableText.number(value) + " (" + (percent == 0 && value > 0 ? "<1" : percent) + " %)");
    }

    private static String words(List<Row> rows) {
        return String.join(
                ", ", rows.stream().map(row -> row.name() + " " + row.shown()).toList());
    }

    private void latency() {
        long[] counts = shape.latencies();
        int first = 0;
        int last = counts.length - 1;
        while (first < counts.length && counts[first] == 0) {
            first++;
        }
        while (last > first && counts[last] == 0) {
            last--;
        }
        if (first == counts.length) {
            return;
        }
        boolean isOfClients = shape.areLatenciesOfClients();
        String unit = isOfClients ? "invocation to completion" : "start to commit, in the database's ticks";
        String caption = unit + "; on average " + latency(shape.meanLatency());
        long[] shown = Arrays.copyOfRange(counts, first, last + 1);
        List<String> hovers = new ArrayList<>();
        for (int i = 0; i < shown.length; i++) {
            hovers.add(ReadableText.number(shown[i]) + " from " + latency(HistoryShape.minOf(first + i)));
        }
        plot(
                "Latency",
                caption,
                PlotDrawing.columns(
                        shown,
                        "How long transactions took: " + caption,
                        latency(HistoryShape.minOf(first)),
                        latency(HistoryShape.minOf(last + 1)),
                        hovers));
    }

    private String latency(double duration) {
        return shape.areLatenciesOfClients() ? ReadableText.nanos(duration) : ReadableText.number(Math.round(duration));
    }

    private void keys() {
        List<Row> rows = new ArrayList<>();
        for (HeavyKey key : shape.keys().heaviest(MAX_KEYS)) {
            rows.add(row(key.key(), key.count(), shape.ops()));
        }
        String caption = "of " + ReadableText.counted(result.keys(), "key")
                + (shape.keys().isExact() ? "" : ", about");
        plot("Hot keys", caption, PlotDrawing.rows(rows, words(rows)));
    }

    private void sessions() {
        long[] all = shape.bySession();
        long[] shown = Arrays.copyOf(all, Math.min(MAX_SESSIONS, all.length));
        long min = all.length == 0 ? 0 : all[all.length - 1];
        long max = all.length == 0 ? 0 : all[0];
        String caption = ReadableText.counted(all.length, "session") + ", with "
                + (min == max ? ReadableText.number(max) : ReadableText.number(min) + " to " + ReadableText.number(max))
                + " transactions" + (min == max && all.length > 1 ? " each" : "")
                + (shown.length < all.length ? "; the busiest " + shown.length + " are drawn" : "");
        plot("Sessions", caption, PlotDrawing.columns(shown, caption, "busiest", "", null));
    }
}
