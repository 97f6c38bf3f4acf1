package io.nightjar.jobs.bench;

import static java.util.Objects.requireNonNull;

import io.nightjar.jobs.bench.BenchResult.Status;
import io.nightjar.jobs.bench.ChartLine.Point;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Results of a plan for people: charts, a self-contained HTML page, and Markdown for documents. */
public final class BenchPage {

    private static final String STYLE =
            """
            :root{color-scheme:light dark;--fg:#24292f;--muted:#57606a;--line:#d8dee4;--bg:#fff}
            @media (prefers-color-scheme: dark){:root{--fg:#e6edf3;--muted:#9aa4af;--line:#30363d;--bg:#0d1117}}
            body{font:15px/1.5 system-ui,sans-serif;color:var(--fg);background:var(--bg);max-width:60rem;margin:2rem auto;padding:0 1rem}
            h1{font-size:1.5rem;margin:0 0 .3rem}h2{font-size:1.1rem;margin:2rem 0 .5rem}
            p.q,td.q,caption{color:var(--muted)}svg{max-width:100%;height:auto}
            table{border-collapse:collapse;font-size:13px;margin:.5rem 0;font-variant-numeric:tabular-nums}
            th,td{border-bottom:1px solid var(--line);padding:.25rem .7rem;text-align:right}
            th:first-child,td:first-child,th.l,td.l{text-align:left}caption{text-align:left;padding:.3rem 0}
            div.wide{overflow-x:auto}
            """;

    private final BenchPlan plan;
    private final List<BenchResult> results;
    private final Map<String, Object> machine;

    /** Returns the page of a plan, with the machine of its last start. */
    public static BenchPage of(BenchPlan plan, ResultsFile results) throws IOException {
        List<Map<String, Object>> machines = results.machines();
        return new BenchPage(plan, results.runs(), machines.isEmpty() ? Map.of() : machines.get(machines.size() - 1));
    }

    /** @param results of this plan, in the order in which they were measured */
    BenchPage(BenchPlan plan, List<BenchResult> results, Map<String, Object> machine) {
        this.plan = plan;
        this.results = results.stream()
                .filter(result -> result.runKey().plan().equals(plan.heading().name()))
                .toList();
        this.machine = machine;
    }

    /** Returns a drawing for each panel, by the end of its file's name. */
    public Map<String, String> charts() {
        Map<String, String> charts = new LinkedHashMap<>();
        if (plan.x().isNone()) {
            return charts;
        }
        for (String panel : panels()) {
            String name = plan.heading().name() + (panel.isEmpty() ? "" : "-" + panel.replaceAll("[^A-Za-z0-9.]+", "-"))
                    + ".svg";
            String title = plan.heading().title() + (panel.isEmpty() ? "" : " (" + panelName(panel) + ")");
            charts.put(name, BenchChart.draw(title, plan.x(), axisValues(), lines(panel, plan.draw()), plan.draw()));
        }
        return charts;
    }

    /** Returns the page: one file that opens from disk. */
    public String html() {
        StringBuilder html = new StringBuilder();
        html.append(
                "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\n<title>"
                        + BenchChart.escaped(plan.heading().title()) + "</title><style>" + STYLE
                        + "</style></head><body><main>\n<h1>"
                        + BenchChart.escaped(plan.heading().title()) + "</h1>\n");
        paragraph(html, plan.heading().source());
        paragraph(html, plan.heading().note());
        charts().values().forEach(html::append);
        tables().forEach((caption, rows) -> table(html, caption, rows));
        remarks().forEach(remark -> paragraph(html, remark));
        html.append("<h2>Where and how</h2>\n<div class=\"wide\"><table>");
        facts().forEach((name, value) -> html.append("<tr><td>")
                .append(BenchChart.escaped(name))
                .append("</td><td class=\"l\">")
                .append(BenchChart.escaped(value))
                .append("</td></tr>\n"));
        return html.append("</table></div>\n</main></body></html>\n").toString();
    }

    private static void paragraph(StringBuilder html, String text) {
        if (!text.isEmpty()) {
            html.append("<p class=\"q\">").append(BenchChart.escaped(text)).append("</p>\n");
        }
    }

    private static void table(StringBuilder html, String caption, List<List<String>> rows) {
        html.append("<div class=\"wide\"><table><caption>" + BenchChart.escaped(caption) + "</caption>\n");
        for (int i = 0; i < rows.size(); i++) {
            String cell = i == 0 ? "th" : "td";
            html.append("<tr>");
            for (String text : rows.get(i)) {
                html.append('<').append(cell).append(i == 0 ? " scope=\"col\">" : ">");
                html.append(BenchChart.escaped(text)).append("</").append(cell).append('>');
            }
            html.append("</tr>\n");
        }
        html.append("</table></div>\n");
    }

    /** Returns every table of the page by its caption. */
    private Map<String, List<List<String>>> tables() {
        Map<String, List<List<String>>> tables = new LinkedHashMap<>();
        for (String panel : panels()) {
            tables.put(caption(panel), rows(panel));
        }
        return tables;
    }

    /** Returns goals that were missed and their limits, and the parts of the plan without results. */
    private List<String> remarks() {
        List<String> remarks = new ArrayList<>();
        for (BenchPlan.Series series : plan.series()) {
            List<String> missed = missed(series.name());
            if (!missed.isEmpty()) {
                remarks.add("Missed, " + series.name() + ": " + String.join(", ", missed) + ". "
                        + (series.limit().isEmpty() ? "Its limit is not known." : series.limit()));
            }
            if (results.stream().noneMatch(result -> result.runKey().series().equals(series.name()))) {
                remarks.add("Not measured yet: " + series.name()
                        + (series.goal() == null
                                ? ""
                                : ", goal " + series.goal().words())
                        + ".");
            }
        }
        return remarks;
    }

    private List<String> missed(String name) {
        Goal goal = goal(name);
        return goal == null || costs(name, "wall").isNaN()
                ? List.of()
                : goal.missed(quantity -> costs(name, quantity), quantity -> costs(goal.to(), quantity));
    }

    /** Returns the median of a case, the maximum for memory; NaN without a valid run. */
    private Double costs(String name, String quantity) {
        double[] values = results.stream()
                .filter(result -> result.counts() && result.runKey().series().equals(name))
                .mapToDouble(result -> result.quantity(quantity))
                .toArray();
        return quantity.equals("rss") ? Arrays.stream(values).max().orElse(Double.NaN) : Medians.median(values);
    }

    /**
     * Returns the same for a document.
     *
     * @param pictures folder of the charts, relative to the document
     */
    public String markdown(String pictures) {
        StringBuilder text =
                new StringBuilder("## ").append(plan.heading().title()).append("\n\n");
        if (!plan.heading().source().isEmpty()) {
            text.append(plan.heading().source()).append("\n\n");
        }
        if (!plan.heading().note().isEmpty()) {
            text.append(plan.heading().note()).append("\n\n");
        }
        charts().keySet().forEach(chart -> text.append("![")
                .append(plan.heading().title())
                .append("](")
                .append(pictures)
                .append('/')
                .append(chart)
                .append(")\n\n"));
        tables().forEach((caption, rows) -> {
            text.append(caption).append(":\n\n");
            markdown(text, rows);
        });
        remarks().forEach(remark -> text.append(remark).append("\n\n"));
        text.append("Measured with `nightjar bench " + plan.heading().name() + "`: ");
        facts().forEach((name, value) ->
                text.append(name).append(" `").append(value).append("`, "));
        text.setLength(text.length() - 2);
        return text.append(".\n").toString();
    }

    /** Appends a table of Markdown and an empty line. */
    static void markdown(StringBuilder text, List<List<String>> rows) {
        for (int i = 0; i < rows.size(); i++) {
            text.append("| " + String.join(" | ", rows.get(i)).replace("\n", " ") + " |\n");
            if (i == 0) {
                text.append("|---".repeat(rows.get(0).size())).append("|\n");
            }
        }
        text.append('\n');
    }

    private List<String> panels() {
        if (plan.panels() == null) {
            return List.of("");
        }
        return plan.panels().values().stream()
                .filter(panel -> results.stream()
                        .anyMatch(result -> result.runKey().panel().equals(panel)))
                .toList();
    }

    /** Points in the order of measuring, since sizes may have been scaled. */
    private List<String> axisValues() {
        return results.stream().map(result -> result.runKey().x()).distinct().toList();
    }

    private List<ChartLine> lines(String panel, String quantity) {
        return ChartLine.of(results, panel, axisValues(), quantity);
    }

    private String panelName(String panel) {
        return requireNonNull(plan.panels()).label() + " " + panel;
    }

    private String caption(String panel) {
        return (panel.isEmpty() ? "" : panelName(panel) + ", ")
                + "median (least to most) of wall seconds, CPU seconds, peak resident MB";
    }

    private List<List<String>> rows(String panel) {
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(
                plan.x().isNone() ? List.of("case") : List.of(plan.x().label(), "checker"));
        if (hasGoals()) {
            head.add("goal");
        }
        head.addAll(List.of("wall s", "CPU s", "peak MB", "runs", "verdict"));
        rows.add(head);
        List<ChartLine> walls = lines(panel, "wall");
        List<ChartLine> cpus = lines(panel, "cpu");
        List<ChartLine> peaks = lines(panel, "rss");
        for (String x : axisValues()) {
            for (int i = 0; i < walls.size(); i++) {
                for (int j = 0; j < walls.get(i).points().size(); j++) {
                    Point wall = walls.get(i).points().get(j);
                    if (wall.x().equals(x)) {
                        rows.add(row(
                                walls.get(i).name(),
                                wall,
                                cpus.get(i).points().get(j),
                                peaks.get(i).points().get(j)));
                    }
                }
            }
        }
        return rows;
    }

    private List<String> row(String name, Point wall, Point cpu, Point peak) {
        List<String> row = new ArrayList<>(plan.x().isNone() ? List.of(name) : List.of(wall.x(), name));
        if (hasGoals()) {
            row.add(verdictOnGoal(name));
        }
        if (wall.runs() == 0) {
            row.addAll(List.of("–", "–", "–", "0", ending(wall)));
        } else {
            row.addAll(List.of(
                    spread(wall),
                    spread(cpu),
                    String.format(Locale.ROOT, "%.0f", peak.max()),
                    Integer.toString(wall.runs()),
                    wall.status() == Status.OK ? wall.verdict() : wall.verdict() + ", then " + ending(wall)));
        }
        return row;
    }

    private boolean hasGoals() {
        return plan.series().stream().anyMatch(series -> series.goal() != null);
    }

    /** Returns the goal of a series, or null where none was set. */
    private @Nullable Goal goal(String name) {
        return plan.series().stream()
                .filter(series -> series.name().equals(name))
                .map(BenchPlan.Series::goal)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private String verdictOnGoal(String name) {
        Goal goal = goal(name);
        if (goal == null) {
            return "";
        }
        return goal.words() + (costs(name, "wall").isNaN() ? "" : missed(name).isEmpty() ? ": reached" : ": missed");
    }

    private static String ending(Point point) {
        return point.status() == Status.WRONG
                ? "wrong: " + point.verdict()
                : point.status().word();
    }

    private static String spread(Point point) {
        return String.format(Locale.ROOT, "%.2f (%.2f to %.2f)", point.median(), point.min(), point.max());
    }

    private Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>();
        for (String name : List.of("cpu", "cores", "memory", "kernel", "jvm", "commit", "load", "started_at")) {
            facts.put(name, String.valueOf(machine.get(name)));
        }
        double busiest = results.stream()
                .filter(BenchResult::counts)
                .mapToDouble(result -> result.cost().loadBefore())
                .max()
                .orElse(Double.NaN);
        facts.put("highest load before a run", String.format(Locale.ROOT, "%.2f", busiest));
        return facts;
    }
}
