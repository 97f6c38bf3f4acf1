package io.nightjar.jobs.report;

import io.nightjar.jobs.CommandHint;
import io.nightjar.jobs.report.HistoryTrend.Run;
import java.nio.file.Path;
import java.util.List;

/** Markup of an overview table of all histories of a lake: the latest verdict, new anomalies, and earlier runs. */
final class OverviewMarkup {

    private static final int COLUMN = 9;
    private static final int HEIGHT = 26;

    private final Markup page;
    private final Report report;
    private final boolean isLive;

    OverviewMarkup(Markup page, Report report, boolean isLive) {
        this.page = page;
        this.report = report;
        this.isLive = isLive;
    }

    void write() {
        List<HistoryTrend> histories = report.histories();
        page.raw(
                "<section class=\"panel\" id=\"overview\" aria-labelledby=\"overview-h\"><h2 id=\"overview-h\">"
                        + (report.histories().size() == 1 && !isLive ? "Runs" : "Histories") + "</h2>"
                        + "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Histories, scrolls\"><table class=\"histories\">"
                        + "<thead><tr><th scope=\"col\">History</th><th scope=\"col\">Latest</th><th scope=\"col\" class=\"number\">Anomalies</th>"
                        + "<th scope=\"col\" class=\"number\">New</th><th scope=\"col\">Runs</th><th scope=\"col\">When</th></tr></thead><tbody>\n");
        for (HistoryTrend history : histories) {
            Run latest = history.latest();
            page.raw("<tr data-verdict=\"").text(latest.verdict()).raw("\"><th scope=\"row\">");
            link(history, latest);
            page.raw("</th><td>");
            RunMarkup.verdict(page, latest.verdict());
            page.raw("</td><td class=\"number\">")
                    .text(ReadableText.number(latest.anomalies()))
                    .raw("</td><td class=\"number\">");
            page.text(history.newCount() == null ? "–" : ReadableText.number(history.newCount()))
                    .raw("</td><td>");
            columns(history);
            page.raw("</td><td class=\"when\">")
                    .text(ReadableText.time(latest.finishedAt()))
                    .raw("</td></tr>\n");
        }
        page.raw("</tbody></table></div>");
        page.raw(
                "<p class=\"note\">New: anomalies whose fingerprint the run before of the same history did not have. Runs: a"
                        + " column for each, the latest on the right, as high as it has anomalies.</p>");
        long leftOut = report.leftOutHistories();
        if (leftOut > 0 && !isLive) {
            page.raw("<p class=\"note\">")
                    .text("In full below: " + ReadableText.counted(report.runs().size(), "run") + ", the worst. "
                            + ReadableText.counted(leftOut, "history", "histories") + " not; ")
                    .raw("<code>")
                    .text(CommandHint.of("report", report.lake(), "--run", "ID", "-o", "FILE.html"))
                    .raw("</code> shows any run.</p>");
        }
        page.raw("</section>\n");
    }

    private void link(HistoryTrend history, Run latest) {
        String name = ReadableText.nameOf(history.uri());
        if (isLive) {
            page.raw("<a href=\"").text(PageLinks.pageOfRun(latest.runId())).raw("\">");
            page.value(name).raw("</a>");
        } else if (history.isShown()) {
            int position = report.runIds().indexOf(latest.runId());
            page.raw("<a href=\"#run-" + (position + 1) + "\">").value(name).raw("</a>");
        } else {
            page.value(name).raw(" <span class=\"soft\">").text(latest.runId()).raw("</span>");
        }
    }

    private void columns(HistoryTrend history) {
        long max = Math.max(
                1, history.runs().stream().mapToLong(Run::anomalies).max().orElse(1));
        int width = history.runs().size() * COLUMN;
        Markup words = new Markup();
        words.text(ReadableText.counted(history.runCount(), "run") + ", the latest last: ");
        for (Run run : history.runs()) {
            words.text(ReadableText.day(run.finishedAt()) + " " + run.verdict() + " " + run.anomalies() + "; ");
        }
        page.raw("<svg class=\"trend\" xmlns=\"http://www.w3.org/2000/svg\" role=\"" + (isLive ? "group" : "img")
                + "\" width=\"" + width
                + "\" height=\"" + HEIGHT + "\" viewBox=\"0 0 " + width + " " + HEIGHT + "\" aria-label=\"" + words
                + "\">");
        for (int i = 0; i < history.runs().size(); i++) {
            Run run = history.runs().get(i);
            double share = Math.log(1 + run.anomalies()) / Math.log(1 + max);
            double height = 4 + share * (HEIGHT - 4);
            if (isLive) {
                page.raw("<a href=\"").text(PageLinks.pageOfRun(run.runId())).raw("\" aria-label=\"");
                page.text("Run " + run.runId() + ", " + run.verdict()).raw("\">");
            }
            page.raw("<rect class=\"v-")
                    .text(run.verdict())
                    .raw("\" x=\"" + i * COLUMN + "\" y=\"" + Math.round(HEIGHT - height) + "\" width=\"" + (COLUMN - 2)
                            + "\" height=\"" + Math.round(height) + "\" rx=\"1\"><title>");
            page.text(ReadableText.time(run.finishedAt()) + ", " + run.verdict() + ", "
                            + ReadableText.counted(run.anomalies(), "anomaly", "anomalies") + ", run "
                            + run.runId())
                    .raw("</title></rect>");
            page.raw(isLive ? "</a>" : "");
        }
        page.raw("</svg>");
    }

    /** Returns the absolute location of the lake, for readers of the page on another machine. */
    static String locationOf(Path lake) {
        return lake.toAbsolutePath().normalize().toString();
    }
}
