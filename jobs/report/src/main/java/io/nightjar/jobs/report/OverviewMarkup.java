package io.nightjar.jobs.report;

import io.nightjar.jobs.CommandHint;
import io.nightjar.jobs.report.HistoryTrend.Night;
import java.nio.file.Path;
import java.util.List;

/** Markup of an overview table of all histories of a lake: the latest verdict, new anomalies, and earlier runs. */
final class OverviewMarkup {

    private static final int NIGHT = 9;
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
                        + (report.histories().size() == 1 && !isLive ? "Nights" : "Histories") + "</h2>"
                        + "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Histories, scrolls\"><table class=\"histories\">"
                        + "<thead><tr><th scope=\"col\">History</th><th scope=\"col\">Latest</th><th scope=\"col\" class=\"number\">Anomalies</th>"
                        + "<th scope=\"col\" class=\"number\">New</th><th scope=\"col\">Nights</th><th scope=\"col\">When</th></tr></thead><tbody>\n");
        for (HistoryTrend history : histories) {
            Night latest = history.latest();
            page.raw("<tr data-verdict=\"").text(latest.verdict()).raw("\"><th scope=\"row\">");
            link(history, latest);
            page.raw("</th><td>");
            RunMarkup.verdict(page, latest.verdict());
            page.raw("</td><td class=\"number\">")
                    .text(ReadableText.number(latest.anomalies()))
                    .raw("</td><td class=\"number\">");
            page.text(history.newCount() == null ? "–" : ReadableText.number(history.newCount()))
                    .raw("</td><td>");
            nights(history);
            page.raw("</td><td class=\"when\">")
                    .text(ReadableText.time(latest.finishedAt()))
                    .raw("</td></tr>\n");
        }
        page.raw("</tbody></table></div>");
        page.raw(
                "<p class=\"note\">New: anomalies whose fingerprint the run before of the same history did not have. Nights: a"
                        + " column for each run, the latest on the right, as high as it has anomalies.</p>");
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

    private void link(HistoryTrend history, Night latest) {
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

    private void nights(HistoryTrend history) {
        long max = Math.max(
                1, history.nights().stream().mapToLong(Night::anomalies).max().orElse(1));
        int width = history.nights().size() * NIGHT;
        Markup words = new Markup();
        words.text(ReadableText.counted(history.runCount(), "run") + ", the latest last: ");
        for (Night night : history.nights()) {
            words.text(ReadableText.day(night.finishedAt()) + " " + night.verdict() + " " + night.anomalies() + "; ");
        }
        page.raw("<svg class=\"nights\" xmlns=\"http://www.w3.org/2000/svg\" role=\"" + (isLive ? "group" : "img")
                + "\" width=\"" + width
                + "\" height=\"" + HEIGHT + "\" viewBox=\"0 0 " + width + " " + HEIGHT + "\" aria-label=\"" + words
                + "\">");
        for (int i = 0; i < history.nights().size(); i++) {
            Night night = history.nights().get(i);
            double share = Math.log(1 + night.anomalies()) / Math.log(1 + max);
            double height = 4 + share * (HEIGHT - 4);
            if (isLive) {
                page.raw("<a href=\"").text(PageLinks.pageOfRun(night.runId())).raw("\" aria-label=\"");
                page.text("Run " + night.runId() + ", " + night.verdict()).raw("\">");
            }
            page.raw("<rect class=\"v-")
                    .text(night.verdict())
                    .raw("\" x=\"" + i * NIGHT + "\" y=\"" + Math.round(HEIGHT - height) + "\" width=\"" + (NIGHT - 2)
                            + "\" height=\"" + Math.round(height) + "\" rx=\"1\"><title>");
            page.text(ReadableText.time(night.finishedAt()) + ", " + night.verdict() + ", "
                            + ReadableText.counted(night.anomalies(), "anomaly", "anomalies") + ", run "
                            + night.runId())
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
