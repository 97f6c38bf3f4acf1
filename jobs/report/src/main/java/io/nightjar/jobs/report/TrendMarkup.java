package io.nightjar.jobs.report;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Markup of the runs of one history on a served page: verdicts and counts, and a comparison with each run. */
final class TrendMarkup {

    private static final int BAR = 120; // width of the bar of the run with the most anomalies

    private TrendMarkup() {}

    static void write(Markup page, HistoryTrend trend, RunReport shown) {
        String here = shown.run().runId();
        long max = Math.max(
                1,
                trend.runs().stream()
                        .mapToLong(HistoryTrend.Run::anomalies)
                        .max()
                        .orElse(1));
        page.raw(
                "<section class=\"panel\" id=\"runs\" aria-labelledby=\"runs-h\"><h3 id=\"runs-h\">Runs of this history</h3>"
                        + "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Runs, scrolls\"><table class=\"histories\">"
                        + "<thead><tr><th scope=\"col\">Run</th><th scope=\"col\">Verdict</th><th scope=\"col\">Anomalies</th>"
                        + "<th scope=\"col\">When</th><th scope=\"col\">New and gone</th></tr></thead><tbody>\n");
        for (int i = trend.runs().size() - 1; i >= 0; i--) {
            HistoryTrend.Run run = trend.runs().get(i);
            boolean isHere = run.runId().equals(here);
            page.raw("<tr><th scope=\"row\">");
            if (isHere) {
                page.raw("<span aria-current=\"page\">").text(run.runId()).raw("</span>");
            } else {
                page.raw("<a href=\"").text(PageLinks.pageOfRun(run.runId())).raw("\">");
                page.text(run.runId()).raw("</a>");
            }
            page.raw("</th><td>");
            RunMarkup.verdict(page, run.verdict());
            long width = run.anomalies() == 0 ? 0 : Math.max(2, Math.round((double) BAR * run.anomalies() / max));
            page.raw("</td><td><svg class=\"trend\" aria-hidden=\"true\" width=\"" + BAR
                    + "\" height=\"10\"><rect class=\"v-" + run.verdict() + "\" width=\"" + width
                    + "\" height=\"10\" rx=\"1\"/></svg> ");
            page.text(ReadableText.number(run.anomalies())).raw("</td><td class=\"when\">");
            page.text(ReadableText.time(run.finishedAt())).raw("</td><td>");
            comparison(page, run.runId(), isHere, shown);
            page.raw("</td></tr>\n");
        }
        page.raw("</tbody></table></div>");
        if (trend.runCount() > trend.runs().size()) {
            page.raw("<p class=\"note\">")
                    .text("The latest " + trend.runs().size() + " of " + ReadableText.number(trend.runCount())
                            + " runs.")
                    .raw("</p>");
        }
        page.raw("</section>\n");
    }

    private static void comparison(Markup page, String runId, boolean isHere, RunReport shown) {
        RunReport.Baseline baseline = shown.baseline();
        if (isHere) {
            page.raw("<span class=\"soft\">this run</span>");
        } else if (baseline != null && baseline.runId().equals(runId)) {
            page.raw("<span class=\"soft\">compared</span>");
        } else {
            page.raw("<a href=\"?baseline=")
                    .text(URLEncoder.encode(runId, StandardCharsets.UTF_8))
                    .raw("\" aria-label=\"compare with ")
                    .text(runId)
                    .raw("\">compare</a>");
        }
    }
}
