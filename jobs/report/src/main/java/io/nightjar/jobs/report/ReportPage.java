package io.nightjar.jobs.report;

import io.nightjar.jobs.sql.StoredAnomaly;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** HTML page of a report: one self-contained text without external resources, readable without scripts. */
public final class ReportPage {

    /*
     * Two measures protect the reader from a hostile key: Markup escapes all text from a history, and a policy in the
     * page's head allows only the bundled script, identified by its hash, and no requests.
     */

    private static final String STYLE = resource("report.css");
    private static final String SCRIPT = resource("report.js");
    private static final String LIVE_SCRIPT = resource("live.js");
    private static final Map<String, String> SAVED_QUERIES = savedQueries();

    private final Markup page = new Markup(new StringBuilder(1 << 20));
    private final boolean isLive;
    private final String runs;
    private long maxFileBytes;

    /** @param runs the runs present when the page was created, to detect new ones; null if it is not served */
    private ReportPage(@Nullable Collection<String> runs) {
        this.isLive = runs != null;
        this.runs = isLive ? String.join(" ", runs) : "";
    }

    /** Returns the page of a report as a file. */
    public static String write(Report report) {
        return new ReportPage(null).whole(report);
    }

    /**
     * Returns the page for a server: with links to other pages, an SQL input, and notification of new runs.
     *
     * @param runs the complete runs of the lake
     * @param maxFileBytes maximum size of a file that the page sends to be checked; 0 if it sends none
     */
    public static String writeLive(Report report, Collection<String> runs, long maxFileBytes) {
        ReportPage page = new ReportPage(runs);
        page.maxFileBytes = maxFileBytes;
        return page.whole(report);
    }

    /** Returns the served page of one anomaly of a run. */
    public static String writeAnomaly(Path lake, String runId, StoredAnomaly anomaly) {
        return new ReportPage(List.of()).anomaly(lake, runId, anomaly);
    }

    /** Returns an error page. */
    public static String writeMessage(String title, String message) {
        ReportPage live = new ReportPage(List.of());
        live.begin(title, "");
        live.page
                .raw("<section class=\"panel\"><h1>")
                .text(title)
                .raw("</h1><p>")
                .text(message);
        live.page.raw("</p><p><a href=\"/\">All histories</a></p></section>");
        return live.end("");
    }

    /** Returns the content security policy, for a header or for the page's head. */
    public static String policy(boolean isLive) {
        return "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src '" + hash(SCRIPT) + "'"
                + (isLive ? " '" + hash(LIVE_SCRIPT) + "'; connect-src 'self'" : "")
                + "; base-uri 'none'; form-action 'none'";
    }

    private String whole(Report report) {
        boolean isOfOne = report.runs().size() == 1 && report.histories().isEmpty();
        String title = isOfOne
                ? ReadableText.nameOf(report.runs().get(0).run().result().history()) + ": " + report.verdict()
                : "Nightjar: " + ReadableText.counted(report.histories().size(), "history", "histories");
        begin(title, OverviewMarkup.locationOf(report.lake()));
        boolean isOfOneHistory = report.histories().size() == 1 && !isLive;
        if (isOfOne || isOfOneHistory) {
            page.raw("<h1 class=\"unseen\">")
                    .text("Report of "
                            + ReadableText.nameOf(
                                    report.runs().get(0).run().result().history()))
                    .raw("</h1>");
        } else {
            page.raw("<h1 class=\"of-lake\">").text(summary(report)).raw("</h1>");
            if (report.histories().isEmpty()) {
                page.raw("<p>This page shows the first as soon as it is complete.</p>");
            } else {
                new OverviewMarkup(page, report, isLive).write();
            }
        }
        if (maxFileBytes > 0) {
            fileBox();
        }
        if (isLive && !report.histories().isEmpty()) {
            sqlBox();
        }
        boolean isWholeShown = !isLive || report.histories().isEmpty();
        for (int i = 0; isWholeShown && i < report.runs().size(); i++) {
            RunReport run = report.runs().get(i);
            String prefix = report.runs().size() == 1 ? "" : "r" + (i + 1) + "-";
            PageLinks links = new PageLinks(prefix, run.run().runId(), isLive);
            if (report.runs().size() == 1) {
                contents(links);
            }
            new RunMarkup(page, run, links, report.lake(), report.runs().size() > 1)
                    .write(i + 1, isOfOneHistory ? () -> new OverviewMarkup(page, report, false).write() : () -> {});
        }
        return end("made " + ReadableText.time(report.madeAt()) + " by nightjar " + report.version());
    }

    private static String summary(Report report) {
        long violated = count(report, "violated");
        long undecided = count(report, "undecided");
        int histories = report.histories().size();
        if (histories == 0) {
            return "No runs yet";
        }
        if (histories == 1) {
            return violated > 0 ? "It is violated" : undecided > 0 ? "It is undecided" : "It holds";
        }
        if (violated > 0) {
            return ReadableText.number(violated) + " of " + ReadableText.counted(histories, "history", "histories")
                    + " violated" + (undecided > 0 ? ", " + ReadableText.number(undecided) + " undecided" : "");
        }
        return undecided > 0
                ? "None violated, " + ReadableText.number(undecided) + " of "
                        + ReadableText.counted(histories, "history", "histories") + " undecided"
                : "All " + histories + " hold";
    }

    private static long count(Report report, String verdict) {
        return report.histories().stream()
                .filter(history -> history.latest().verdict().equals(verdict))
                .count();
    }

    private String anomaly(Path lake, String runId, StoredAnomaly anomaly) {
        begin(anomaly.row().title() + " " + anomaly.id(), OverviewMarkup.locationOf(lake));
        PageLinks links = new PageLinks("", runId, true);
        page.raw("<article class=\"run\"><section class=\"panel anomaly\" id=\"" + links.anomaly(anomaly.id())
                + "\"><h1>");
        AnomalyMarkup.title(page, anomaly);
        page.raw("</h1>");
        AnomalyMarkup.badges(page, anomaly.row(), false);
        page.raw("<p class=\"soft\"><code>").text(anomaly.id()).raw("</code> in <a href=\"");
        page.text(PageLinks.pageOfRun(runId))
                .raw("\">")
                .value(ReadableText.nameOf(anomaly.history()))
                .raw("</a>, run ");
        page.text(runId).raw("</p>");
        new AnomalyMarkup(page, links, lake, anomaly, "h2").body();
        page.raw("</section></article>");
        return end("");
    }

    private void begin(String title, String location) {
        page.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>")
                .text(title)
                .raw("</title>\n");
        page.raw("<meta http-equiv=\"Content-Security-Policy\" content=\"")
                .text(policy(isLive))
                .raw("\">\n");
        page.raw(
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\""
                        + " content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n<link rel=\"icon\" href=\"data:,\">\n<style>\n");
        page.raw(STYLE).raw("</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">To the verdict</a>\n");
        page.raw("<header class=\"top\"><p class=\"brand\">");
        page.raw(isLive ? "<a href=\"/\">Nightjar</a>" : "Nightjar").raw("</p><p class=\"place\">");
        page.value(location).raw("</p><div class=\"tools\" hidden>");
        page.raw("<button type=\"button\" data-do=\"unfold\">Unfold all</button>");
        page.raw(
                "<button type=\"button\" data-do=\"theme\" aria-pressed=\"false\">Dark</button></div></header>\n<main id=\"main\""
                        + (isLive ? " data-runs=\"" + Markup.escaped(runs) + "\"" : "") + ">\n");
    }

    private String end(String foot) {
        page.raw("</main>\n<footer>")
                .text(foot)
                .raw(
                        "</footer>\n<div id=\"announcement\" class=\"unseen\" role=\"status\" aria-live=\"polite\"></div>\n");
        page.raw("<script>").raw(SCRIPT).raw("</script>\n");
        if (isLive) {
            page.raw("<script>").raw(LIVE_SCRIPT).raw("</script>\n");
        }
        return page.raw("</body>\n</html>\n").toString();
    }

    private void contents(PageLinks links) {
        page.raw("<nav class=\"contents\" aria-label=\"On this page\">");
        String[] names = {"levels", "anomalies", "history", "lint", "cost", "provenance"};
        String[] titles = {"Levels", "Anomalies", "History", "Lint", "Cost", "Provenance"};
        for (int i = 0; i < names.length; i++) {
            page.raw("<a href=\"#" + links.section(names[i]) + "\">" + titles[i] + "</a>");
        }
        page.raw("</nav>\n");
    }

    private void fileBox() {
        page.raw(
                "<section class=\"panel\" id=\"check\" aria-labelledby=\"check-h\"><h2 id=\"check-h\">Check a file</h2>"
                        + "<form id=\"check-form\" data-max-bytes=\"" + maxFileBytes
                        + "\"><p><label for=\"check-file\">History</label> <input type=\"file\" id=\"check-file\">"
                        + " <label for=\"check-levels\">Levels</label> <input type=\"text\" id=\"check-levels\" value=\"si,ser\" size=\"16\">"
                        + " <button type=\"submit\">Check</button></p><p class=\"note\">Or drop a file on the page. It stays on this machine;"
                        + " a file of the same name is a later run of the same history.</p></form><p id=\"check-result\"></p></section>\n");
    }

    private void sqlBox() {
        page.raw(
                "<section class=\"panel\" id=\"sql\" aria-labelledby=\"sql-h\"><h2 id=\"sql-h\">SQL</h2>"
                        + "<div class=\"with-schema\"><form id=\"sql-form\"><p><label for=\"sql-saved\">Query</label> <select id=\"sql-saved\">");
        SAVED_QUERIES.forEach((title, query) -> page.raw("<option value=\"")
                .raw(Markup.kept(query))
                .raw("\">")
                .text(title)
                .raw("</option>"));
        page.raw(
                        "</select></p><label for=\"sql-text\" class=\"unseen\">Text of the query</label><textarea id=\"sql-text\" rows=\"7\""
                                + " spellcheck=\"false\">")
                .raw(Markup.kept(SAVED_QUERIES.values().iterator().next()))
                .raw(
                        "</textarea><p><button type=\"submit\">Run</button> <button type=\"button\" id=\"sql-csv\">Save as CSV</button>"
                                + " <span class=\"soft\">Reads the tables, changes nothing.</span></p></form>"
                                + "<details id=\"sql-schema\"><summary>Tables and columns</summary></details></div>"
                                + "<div id=\"sql-result\" class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Result, scrolls\"></div></section>\n");
    }

    /** Returns the queries that the page of a lake offers, by title. */
    private static Map<String, String> savedQueries() {
        Map<String, String> queries = new LinkedHashMap<>();
        for (String each : resource("queries.sql").split("(?m)^-- ")) {
            int end = each.indexOf('\n');
            if (end > 0) {
                queries.put(each.substring(0, end), each.substring(end + 1).strip());
            }
        }
        return queries;
    }

    private static String hash(String script) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return "sha256-"
                    + Base64.getEncoder().encodeToString(digest.digest(script.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("bug: every JDK has SHA-256", impossible);
        }
    }

    private static String resource(String name) {
        try (InputStream in = ReportPage.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new AssertionError("bug: part of the program is missing: resource=" + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
