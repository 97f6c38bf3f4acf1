package io.nightjar.jobs.report;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.history.PlainText;
import io.nightjar.jobs.CommandHint;
import io.nightjar.jobs.lake.OpsText;
import io.nightjar.jobs.sql.AnomalyLookup;
import io.nightjar.jobs.sql.AnomalyLookup.Evidence;
import io.nightjar.jobs.sql.StoredFinding;
import io.nightjar.pipeline.explain.AnomalyTitle;
import io.nightjar.pipeline.explain.ReadLine;
import io.nightjar.pipeline.explain.StepSentences;
import io.nightjar.pipeline.explain.SvgDrawing;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One anomaly in full: why, the cycle, when, the rows, and what to type for more. */
final class AnomalyMarkup {

    private static final int MAX_OPS_CHARS = 700;
    private static final int MAX_VALUE_CHARS = 120;
    private static final int MAX_TXNS = 60;
    private static final int MAX_STEPS = 60;
    private static final int MAX_TEXT_CHARS = 6_000;

    private final Markup page;
    private final Path lake;
    private final Evidence evidence;
    private final Optional<Finding> finding;
    private final String id;
    private final String heading;

    /** @param heading the element of headings inside it, such as h6 */
    AnomalyMarkup(Markup page, PagePlaces places, Path lake, Evidence evidence, String heading) {
        this.heading = heading;
        this.page = page;
        this.lake = lake;
        this.evidence = evidence;
        this.finding = StoredFinding.of(evidence);
        this.id = places.anomaly(evidence.text("anomaly_id"));
    }

    /** What it is called in a heading, its key last. */
    static void title(Markup page, Evidence evidence) {
        page.text(AnomalyTitle.of(evidence.text("anomaly_type"), evidence.text("pattern")));
        List<String> keys = evidence.keys();
        if (!keys.isEmpty()) {
            page.text(keys.size() == 1 ? " on key " : " on keys ");
            int shown = Math.min(4, keys.size());
            for (int i = 0; i < shown; i++) {
                page.text(i == 0 ? "" : ", ")
                        .raw("<code>")
                        .value(cut(keys.get(i), 60))
                        .raw("</code>");
            }
            page.text(keys.size() > shown ? " and " + (keys.size() - shown) + " more" : "");
        }
    }

    /** Everything below the heading. */
    void body() {
        why();
        cycle();
        timeline();
        transactions();
        commands();
    }

    /** ReadableText that tell whether it is new, what it rules out and what it depends on. */
    static void badges(Markup page, Map<String, Object> row) {
        if (Boolean.TRUE.equals(row.get("is_new"))) {
            page.raw("<span class=\"badge new\">new</span>");
        }
        if (Boolean.TRUE.equals(row.get("is_depending_on_unknown"))) {
            page.raw("<span class=\"badge\">depends on unknown outcomes</span>");
        }
        if (row.get("related_anomaly_id") != null) {
            page.raw("<span class=\"badge\">another telling of ")
                    .text(row.get("related_anomaly_id"))
                    .raw("</span>");
        }
    }

    private void why() {
        List<String> steps = finding.map(StepSentences::of).orElse(List.of());
        if (steps.isEmpty()) {
            String explanation = evidence.text("explanation");
            page.raw("<p class=\"why\">")
                    .value(cut(
                            explanation == null
                                    ? ""
                                    : explanation.lines().findFirst().orElse(""),
                            MAX_TEXT_CHARS))
                    .raw("</p>\n");
        } else {
            page.raw("<ol class=\"steps\">");
            for (String step : steps.subList(0, Math.min(MAX_STEPS, steps.size()))) {
                page.raw("<li>").value(cut(step, MAX_TEXT_CHARS)).raw("</li>");
            }
            page.raw("</ol>\n");
            if (steps.size() > MAX_STEPS) {
                page.raw("<p class=\"note\">")
                        .text("and " + (steps.size() - MAX_STEPS) + " more steps")
                        .raw("</p>");
            }
        }
        page.raw("<dl class=\"facts\">");
        finding.map(found -> ReadLine.of(found, MAX_VALUE_CHARS)).ifPresent(read -> fact("Read", read));
        String rule = StoredFinding.ruleOf(evidence);
        if (rule != null) {
            fact("Rule", rule);
        }
        String level = evidence.text("level_violated");
        fact("Rules out", level == null ? "no level by itself: it makes reads ambiguous" : ReadableText.spoken(level));
        String slack = evidence.text("slack");
        if (slack != null) {
            boolean isEarlier = slack.startsWith("-");
            fact("Slack", slack.replace("-", "") + (isEarlier ? " earlier" : " later") + " would explain it away");
        }
        page.raw("</dl>\n");
    }

    private void fact(String name, String value) {
        page.raw("<div><dt>").text(name).raw("</dt><dd>").value(value).raw("</dd></div>");
    }

    private void cycle() {
        if (evidence.edges().isEmpty()) {
            return;
        }
        Set<String> types = new LinkedHashSet<>();
        evidence.edges().forEach(edge -> types.add(ReportReader.text(edge, "edge_type")));
        page.raw(
                "<figure><figcaption>Who comes before whom</figcaption><div class=\"scroll\" tabindex=\"0\" role=\"region\""
                        + " aria-label=\"Drawing of the order, scrolls\">");
        page.raw(SvgDrawing.inPage(EvidencePicture.of(evidence), id + "-cycle"));
        page.raw("</div><p class=\"legend\">");
        for (String type : types) {
            page.raw("<span class=\"edge-" + edgeClass(type) + "\"><b>")
                    .text(type)
                    .raw("</b> ");
            page.text(SvgDrawing.meaningOf(type)).raw("</span> ");
        }
        page.raw("</p></figure>\n");
    }

    /** Types are ours, but the tables may be a stranger's. */
    private static String edgeClass(String type) {
        return Set.of("ww", "wr", "rw", "so", "rt", "ts").contains(type) ? type : "other";
    }

    private void timeline() {
        AnomalyTimeline timeline = AnomalyTimeline.of(evidence);
        if (timeline.lanes().isEmpty()) {
            return;
        }
        page.raw(
                "<figure class=\"timeline\"><figcaption>When</figcaption><div class=\"tools\" role=\"group\" aria-label=\"Zoom\">"
                        + "<button type=\"button\" data-zoom=\"in\" aria-label=\"Zoom in\">+</button>"
                        + "<button type=\"button\" data-zoom=\"out\" aria-label=\"Zoom out\">−</button>"
                        + "<button type=\"button\" data-zoom=\"left\" aria-label=\"Earlier\">←</button>"
                        + "<button type=\"button\" data-zoom=\"right\" aria-label=\"Later\">→</button>"
                        + "<button type=\"button\" data-zoom=\"all\">All</button></div>"
                        + "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Timeline, scrolls\">");
        page.raw(TimelineDrawing.draw(timeline, id + "-time"));
        page.raw("</div><p class=\"legend\"><span>Axis: ").text(timeline.axis().words());
        page.text(timeline.axis() == AnomalyTimeline.Axis.ORDER ? "" : "; not to scale, quiet times are shortened");
        page.raw(".</span> <span><i class=\"key bar\"></i>")
                .text(timeline.axis() == AnomalyTimeline.Axis.DATABASE ? "start to commit" : "a transaction")
                .raw("</span> ");
        if (!timeline.clientTicks().isEmpty()) {
            page.raw("<span><i class=\"key client\"></i>as its client saw it, by an axis of its own</span> ");
        }
        page.raw("<span><i class=\"key mark\"></i>the operation at fault</span>");
        int hidden = timeline.lanes().size() - TimelineDrawing.MAX_LANES;
        if (hidden > 0) {
            page.raw(" <span>")
                    .text(ReadableText.counted(hidden, "more session"))
                    .raw(" not drawn</span>");
        }
        if (timeline.leftOut() > 0) {
            page.raw(" <span>")
                    .text(ReadableText.counted(timeline.leftOut(), "transaction"))
                    .raw(" without a time</span>");
        }
        page.raw("</p></figure>\n");
    }

    // ---------------------------------------------------------------- rows

    private void transactions() {
        List<Map<String, Object>> txns = evidence.txns();
        if (txns.isEmpty()) {
            return;
        }
        List<Map<String, Object>> shown = txns.subList(0, Math.min(MAX_TXNS, txns.size()));
        Map<String, String> columns = columns(shown);
        page.raw("<div class=\"rows\"><div class=\"bar-head\"><" + heading + ">Source rows</" + heading + ">");
        copyButton("Copy rows", plainRows(shown));
        page.raw(
                "</div><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Source rows, scrolls\"><table>"
                        + "<thead><tr><th scope=\"col\">Transaction</th>");
        columns.values().forEach(name -> page.element("th", "scope=\"col\"", name));
        page.raw("<th scope=\"col\">Row</th><th scope=\"col\">Operations</th></tr></thead><tbody>\n");
        for (Map<String, Object> txn : shown) {
            page.raw("<tr data-txn=\"T").text(txn.get("txn_id")).raw("\"><th scope=\"row\">T");
            page.text(txn.get("txn_id")).raw("</th>");
            for (String column : columns.keySet()) {
                String value = ReportReader.text(txn, column);
                if (column.equals("session_id") && value != null) {
                    value += ", " + txn.get("session_seq");
                }
                page.raw("<td" + (txn.get(column) instanceof Number ? " class=\"number\"" : "") + ">");
                page.value(value == null ? "–" : value).raw("</td>");
            }
            page.raw("<td class=\"row\">");
            if (txn.get("source_file") != null) {
                page.value(ReadableText.nameOf(ReportReader.text(txn, "source_file")))
                        .text(" row " + txn.get("source_row"));
            }
            page.raw("</td><td class=\"ops\">");
            operations(txn);
            page.raw("</td></tr>\n");
        }
        page.raw("</tbody></table></div>");
        if (shown.size() < txns.size()) {
            page.raw("<p class=\"note\">")
                    .text("and " + (txns.size() - shown.size()) + " more rows")
                    .raw("</p>");
        }
        page.raw("</div>\n");
    }

    /** The columns that at least one of the transactions has. */
    private static Map<String, String> columns(List<Map<String, Object>> txns) {
        Map<String, String> names = new LinkedHashMap<>();
        names.put("role", "Part");
        names.put("session_id", "Session, seq");
        names.put("status", "Status");
        names.put("start_ts", "Start");
        names.put("commit_ts", "Commit");
        names.put("invoke_ns", "Invoked, ns");
        names.put("complete_ns", "Complete, ns");
        names.put("extra", "Also said");
        names.keySet().removeIf(column -> txns.stream().allMatch(txn -> txn.get(column) == null));
        if (txns.stream().allMatch(txn -> Role.ON_CYCLE.word().equals(txn.get("role")))) {
            names.remove("role");
        }
        if (txns.stream().allMatch(txn -> "committed".equals(txn.get("status")))) {
            names.remove("status");
        }
        return names;
    }

    private void operations(Map<String, Object> txn) {
        String text = ReportReader.text(txn, "ops_text");
        if (text == null) {
            page.text("not in the tables");
            return;
        }
        int fault = txn.get("op_index") == null ? -1 : ((Number) txn.get("op_index")).intValue();
        List<String> keys = evidence.keys();
        OpsText ops = OpsText.parse(text, keys.size() == 1 ? keys.get(0) : null).cut(fault, MAX_OPS_CHARS);
        int next = 0;
        for (OpsText.Part part : ops.parts()) {
            gap(part.index() - next);
            String tag = part.index() == fault ? "mark" : isOnKey(part.text(), keys) ? "b" : "span";
            page.raw("<" + tag + ">").value(cut(part.text(), MAX_OPS_CHARS)).raw("</" + tag + "> ");
            next = part.index() + 1;
        }
        gap(ops.total() - next);
    }

    private void gap(int count) {
        if (count > 0) {
            page.raw("<span class=\"gap\">").text("…+" + count).raw("</span> ");
        }
    }

    private static boolean isOnKey(String operation, List<String> keys) {
        return keys.stream().anyMatch(key -> operation.contains("(" + PlainText.flat(key) + ","));
    }

    private static String plainRows(List<Map<String, Object>> txns) {
        StringBuilder rows = new StringBuilder();
        for (Map<String, Object> txn : txns) {
            rows.append("T").append(txn.get("txn_id")).append('\t').append(txn.get("role"));
            rows.append("\tsession ")
                    .append(txn.get("session_id"))
                    .append(" seq ")
                    .append(txn.get("session_seq"));
            rows.append('\t').append(txn.get("status"));
            if (txn.get("start_ts") != null) {
                rows.append("\t[")
                        .append(txn.get("start_ts"))
                        .append(", ")
                        .append(txn.get("commit_ts"))
                        .append(']');
            }
            rows.append('\t').append(cut(String.valueOf(txn.get("ops_text")), MAX_OPS_CHARS));
            rows.append('\t').append(txn.get("source_file")).append(" row ").append(txn.get("source_row"));
            rows.append('\n');
        }
        return rows.toString();
    }

    // ---------------------------------------------------------------- what to type

    private void commands() {
        page.raw("<div class=\"commands\"><" + heading + ">To go on</" + heading + ">");
        command("In a terminal", CommandHint.of("explain", lake, evidence.text("anomaly_id")));
        command(
                "The smallest history",
                CommandHint.of("shrink", lake, evidence.text("anomaly_id"), "-o", "small.jsonl"));
        command("Rows of the tables", AnomalyLookup.tableQuery(evidence));
        command("Rows of the history", AnomalyLookup.historyQuery(evidence));
        page.raw("</div>\n");
    }

    private void command(String name, String text) {
        page.raw("<div class=\"command\"><span>").text(name).raw("</span><code tabindex=\"0\">");
        page.value(cut(text, MAX_TEXT_CHARS)).raw("</code>");
        copyButton("Copy", text);
        page.raw("</div>");
    }

    private void copyButton(String name, String text) {
        page.raw("<button type=\"button\" class=\"copy\" data-copy=\"");
        page.raw(Markup.kept(text)).raw("\">").text(name).raw("</button>");
    }

    /** Prose, cut between words where it is much longer. */
    static String shortened(String text, int chars) {
        if (text.length() <= chars * 5 / 4) {
            return text;
        }
        int space = text.lastIndexOf(' ', chars);
        return (space < chars / 2 ? cut(text, chars) : text.substring(0, space)) + " …";
    }

    static String cut(String text, int chars) {
        if (text == null || text.length() <= chars) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(chars - 1)) ? chars - 1 : chars;
        return text.substring(0, end) + "…+" + (text.length() - end);
    }
}
