package io.nightjar.jobs.report;

import io.nightjar.formats.finding.ExplainedFinding;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.history.Contract;
import io.nightjar.jobs.CommandHint;
import io.nightjar.jobs.lake.LakeRow;
import io.nightjar.jobs.lake.OpsText;
import io.nightjar.jobs.sql.StoredAnomaly;
import io.nightjar.jobs.sql.StoredStory;
import io.nightjar.pipeline.explain.PictureMaker;
import io.nightjar.pipeline.explain.ReadLine;
import io.nightjar.pipeline.explain.StepSentences;
import io.nightjar.pipeline.explain.SvgDrawing;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Markup of one anomaly in full: explanation, cycle, timeline, rows, and commands for further inspection. */
final class AnomalyMarkup {

    private static final int MAX_OPS_CHARS = 700;
    private static final int MAX_VALUE_CHARS = 120;
    private static final int MAX_TXNS = 60;
    private static final int MAX_STEPS = 60;
    private static final int MAX_TEXT_CHARS = 6_000;

    private final Markup page;
    private final Path lake;
    private final StoredAnomaly anomaly;
    private final Optional<ExplainedFinding> story;
    private final String id;
    private final String heading;

    /** @param heading the element of headings inside it, such as h6 */
    AnomalyMarkup(Markup page, PageLinks links, Path lake, StoredAnomaly anomaly, String heading) {
        this.heading = heading;
        this.page = page;
        this.lake = lake;
        this.anomaly = anomaly;
        this.story = StoredStory.of(anomaly);
        this.id = links.anomaly(anomaly.id());
    }

    /** Writes the title of an anomaly, ending with its key. */
    static void title(Markup page, StoredAnomaly anomaly) {
        title(page, anomaly.row(), anomaly.keys());
    }

    static void title(Markup page, LakeRow.Anomaly row, List<String> keys) {
        page.text(row.title());
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

    /** Returns the explanation of an anomaly as one line; never empty. */
    static String sentence(StoredAnomaly anomaly) {
        List<String> steps = StoredStory.of(anomaly)
                .map(ExplainedFinding::finding)
                .map(StepSentences::of)
                .orElse(List.of());
        String stated = steps.isEmpty() ? flat(anomaly.explanation()) : String.join(" ", steps);
        String rule = anomaly.rule();
        return !stated.isBlank() ? stated : rule == null ? anomaly.row().title() : "Rule: " + rule + ".";
    }

    /** Returns a text on one line. */
    static String flat(@Nullable String text) {
        return text == null ? "" : text.replaceAll("\\s*\\n\\s*", " ");
    }

    /** Writes the content below the heading. */
    void body() {
        why();
        cycle();
        timeline();
        transactions();
        commands();
    }

    /** Writes badges: whether the anomaly is new, the level that it rules out, and its assumptions. */
    static void badges(Markup page, LakeRow.Anomaly row, boolean isNew) {
        if (isNew) {
            page.raw("<span class=\"badge new\">new</span>");
        }
        if (row.isDependingOnUnknown()) {
            page.raw("<span class=\"badge\">depends on unknown outcomes</span>");
        }
        if (row.relatedAnomalyId() != null) {
            page.raw("<span class=\"badge\">same anomaly as ")
                    .text(row.relatedAnomalyId())
                    .raw("</span>");
        }
    }

    private void why() {
        Optional<Finding> finding = story.map(ExplainedFinding::finding);
        List<String> steps = finding.map(StepSentences::of).orElse(List.of());
        if (steps.isEmpty()) {
            String explanation = anomaly.explanation();
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
        String rule = anomaly.rule();
        if (rule != null) {
            fact("Rule", rule);
        }
        String level = anomaly.row().levelViolated();
        fact("Rules out", level == null ? "no level alone: it makes reads ambiguous" : ReadableText.spoken(level));
        Long slack = anomaly.row().slack();
        if (slack != null) {
            String size = Long.toString(slack).replace("-", "");
            fact("Slack", size + (slack < 0 ? " earlier" : " later") + " would explain it away");
        }
        page.raw("</dl>\n");
    }

    private void fact(String name, String value) {
        page.raw("<div><dt>").text(name).raw("</dt><dd>").sentence(value).raw("</dd></div>");
    }

    private void cycle() {
        if (anomaly.edges().isEmpty() || story.isEmpty()) {
            return;
        }
        Set<String> types = new LinkedHashSet<>();
        anomaly.edges().forEach(edge -> types.add(edge.edgeType()));
        page.raw(
                "<figure><figcaption>Who comes before whom</figcaption><div class=\"scroll\" tabindex=\"0\" role=\"region\""
                        + " aria-label=\"Drawing of the order, scrolls\">");
        page.raw(SvgDrawing.inPage(PictureMaker.picture(story.get()), id + "-cycle"));
        page.raw("</div><p class=\"legend\">");
        for (String type : types) {
            page.raw("<span class=\"edge-" + edgeClass(type) + "\"><b>")
                    .text(type)
                    .raw("</b> ");
            page.text(SvgDrawing.meaningOf(type)).raw("</span> ");
        }
        page.raw("</p></figure>\n");
    }

    /** Returns the CSS class of an edge type; tables from another source may contain unknown types. */
    private static String edgeClass(String type) {
        return Set.of("ww", "wr", "rw", "so", "rt", "ts").contains(type) ? type : "other";
    }

    private void timeline() {
        AnomalyTimeline timeline = AnomalyTimeline.of(anomaly);
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
        page.text(timeline.unit().isEmpty() ? "" : " in " + timeline.unit());
        page.text(timeline.axis() == AnomalyTimeline.Axis.ORDER ? "" : "; not to scale, quiet times are shortened");
        page.raw(".</span> <span><i class=\"key bar\"></i>")
                .text(timeline.axis() == AnomalyTimeline.Axis.DATABASE ? "start to commit" : "a transaction")
                .raw("</span> ");
        if (!timeline.clientTicks().isEmpty()) {
            page.raw("<span><i class=\"key client\"></i>")
                    .text("as its client saw it, by a separate axis in " + timeline.clientUnit())
                    .raw("</span> ");
        }
        if (timeline.bars().stream().anyMatch(AnomalyTimeline.Bar::isOffending)) {
            page.raw("<span><i class=\"key mark\"></i>at fault</span>");
        }
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
        List<LakeRow.AnomalyTxn> txns = anomaly.txns();
        if (txns.isEmpty()) {
            return;
        }
        List<LakeRow.AnomalyTxn> shown = txns.subList(0, Math.min(MAX_TXNS, txns.size()));
        Map<String, Function<LakeRow.AnomalyTxn, Object>> columns = columns(shown);
        page.raw("<div class=\"rows\"><div class=\"bar-head\"><" + heading + ">Source rows</" + heading + ">");
        copyButton("Copy rows", plainRows(shown));
        page.raw(
                "</div><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Source rows, scrolls\"><table>"
                        + "<thead><tr><th scope=\"col\">Transaction</th><th scope=\"col\">Operations</th>");
        columns.keySet().forEach(name -> page.element("th", "scope=\"col\"", name));
        page.raw("<th scope=\"col\">Row</th></tr></thead><tbody>\n");
        for (LakeRow.AnomalyTxn txn : shown) {
            page.raw("<tr data-txn=\"T").text(txn.txnId()).raw("\"><th scope=\"row\">T");
            page.text(txn.txnId()).raw("</th><td class=\"ops\" data-name=\"Operations\">");
            operations(txn);
            page.raw("</td>");
            columns.forEach((name, column) -> {
                Object value = column.apply(txn);
                boolean isNumber = value instanceof Long || name.contains(", ") && value != null;
                page.raw("<td" + (isNumber ? " class=\"number\"" : "") + " data-name=\"" + name + "\">");
                page.value(value == null ? "–" : value.toString()).raw("</td>");
            });
            page.raw("<td class=\"row\" data-name=\"Row\">");
            if (txn.sourceFile() != null) {
                page.value(ReadableText.nameOf(txn.sourceFile())).text(" row " + txn.sourceRow());
            }
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

    /** Returns the columns that at least one of the transactions has. */
    private static Map<String, Function<LakeRow.AnomalyTxn, Object>> columns(List<LakeRow.AnomalyTxn> txns) {
        Map<String, Function<LakeRow.AnomalyTxn, Object>> columns = new LinkedHashMap<>();
        if (!txns.stream().allMatch(txn -> Role.ON_CYCLE.word().equals(txn.role()))) {
            columns.put("Part", LakeRow.AnomalyTxn::role);
        }
        columns.put("Session, seq", txn -> txn.sessionId() == null ? null : txn.sessionId() + ", " + txn.sessionSeq());
        if (!txns.stream().allMatch(txn -> "committed".equals(txn.status()))) {
            columns.put("Status", LakeRow.AnomalyTxn::status);
        }
        addTimes(
                columns,
                txns,
                "Start",
                LakeRow.AnomalyTxn::startTs,
                "Commit",
                LakeRow.AnomalyTxn::commitTs,
                TimeScale::ofTicks);
        addTimes(
                columns,
                txns,
                "Invoked",
                LakeRow.AnomalyTxn::invokeNs,
                "Complete",
                LakeRow.AnomalyTxn::completeNs,
                TimeScale::ofNanos);
        columns.put("Also reported", LakeRow.AnomalyTxn::extra);
        columns.values().removeIf(column -> txns.stream().allMatch(txn -> column.apply(txn) == null));
        return columns;
    }

    /** Adds two times of one clock after the first of all, in a unit that suits them; small ones as the tables have them. */
    private static void addTimes(
            Map<String, Function<LakeRow.AnomalyTxn, Object>> columns,
            List<LakeRow.AnomalyTxn> txns,
            String begin,
            Function<LakeRow.AnomalyTxn, @Nullable Long> beginOf,
            String end,
            Function<LakeRow.AnomalyTxn, @Nullable Long> endOf,
            BiFunction<Long, Long, TimeScale> scaleOf) {
        List<Long> times = txns.stream()
                .flatMap(txn -> Stream.of(beginOf, endOf).map(time -> time.apply(txn)))
                .filter(Objects::nonNull)
                .sorted()
                .toList();
        if (times.isEmpty()) {
            return;
        }
        TimeScale scale = scaleOf.apply(times.get(0), times.get(times.size() - 1));
        String unit = scale.isPlain() ? "" : ", " + scale.unit();
        columns.put(begin + unit, txn -> shownTime(scale, beginOf.apply(txn)));
        columns.put(end + unit, txn -> shownTime(scale, endOf.apply(txn)));
    }

    private static @Nullable Object shownTime(TimeScale scale, @Nullable Long time) {
        return time == null || scale.isPlain() ? time : scale.number(time);
    }

    private void operations(LakeRow.AnomalyTxn txn) {
        if (txn.opsText() == null) {
            page.text("not in the tables");
            return;
        }
        int fault = txn.opIndex() == null ? -1 : txn.opIndex().intValue();
        OpsText all = OpsText.parse(txn.opsText(), anomaly.keys());
        OpsText onKeys = all.onKeys(fault);
        operations(onKeys.cut(fault, MAX_OPS_CHARS), txn, fault);
        if (onKeys != all && onKeys.numberedOps().size() < all.numberedOps().size()) {
            page.raw("<details><summary>").text("all " + all.total()).raw("</summary>");
            operations(all.cut(fault, MAX_OPS_CHARS), txn, fault);
            page.raw("</details>");
        }
    }

    private void operations(OpsText ops, LakeRow.AnomalyTxn txn, int fault) {
        List<String> keys = anomaly.keys();
        int next = 0;
        for (OpsText.NumberedOp op : ops.numberedOps()) {
            gap(op.index() - next);
            String tag = op.index() == fault && anomaly.row().blames(txn) ? "mark" : op.isOn(keys) ? "b" : "span";
            page.raw("<" + tag + ">").value(cut(op.text(), MAX_OPS_CHARS)).raw("</" + tag + "> ");
            next = op.index() + 1;
        }
        gap(ops.total() - next);
    }

    private void gap(int count) {
        if (count > 0) {
            page.raw("<span class=\"gap\">").text("…+" + count).raw("</span> ");
        }
    }

    private static String plainRows(List<LakeRow.AnomalyTxn> txns) {
        StringBuilder rows = new StringBuilder();
        for (LakeRow.AnomalyTxn txn : txns) {
            rows.append("T").append(txn.txnId()).append('\t').append(txn.role());
            rows.append("\tsession ").append(txn.sessionId()).append(" seq ").append(txn.sessionSeq());
            rows.append('\t').append(txn.status());
            if (txn.startTs() != null) {
                rows.append("\t[").append(txn.startTs()).append(", ").append(txn.commitTs());
                rows.append(']');
            }
            if (txn.invokeNs() != null) {
                rows.append("\tclient [").append(txn.invokeNs()).append(", ").append(txn.completeNs());
                rows.append("] ns");
            }
            rows.append('\t').append(cut(String.valueOf(txn.opsText()), MAX_OPS_CHARS));
            rows.append('\t').append(txn.sourceFile()).append(" row ").append(txn.sourceRow());
            rows.append('\n');
        }
        return rows.toString();
    }

    // ---------------------------------------------------------------- commands

    private void commands() {
        page.raw("<div class=\"commands\"><" + heading + ">Next steps</" + heading + ">");
        command("In a terminal", CommandHint.of("explain", lake, anomaly.id()));
        command("The smallest history", CommandHint.of("shrink", lake, anomaly.id(), "-o", "small.jsonl"));
        command("Rows of the tables", anomaly.tableQuery());
        command("Rows of the history", anomaly.historyQuery());
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

    /** Returns prose, cut at a word boundary if much longer than the limit. */
    static String shortened(String text, int chars) {
        if (text.length() <= chars * 5 / 4) {
            return text;
        }
        int space = text.lastIndexOf(' ', chars);
        return (space < chars / 2 ? cut(text, chars) : text.substring(0, space)) + " …";
    }

    @Contract("!null,_ -> !null")
    static @Nullable String cut(@Nullable String text, int chars) {
        if (text == null || text.length() <= chars) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(chars - 1)) ? chars - 1 : chars;
        return text.substring(0, end) + "…+" + (text.length() - end);
    }
}
