package io.nightjar.jobs.cli;

import io.nightjar.formats.finding.ExplainedFinding;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Role;
import io.nightjar.formats.history.SanitizedText;
import io.nightjar.jobs.command.Terminal;
import io.nightjar.jobs.lake.LakeRow;
import io.nightjar.jobs.lake.OpsText;
import io.nightjar.jobs.lake.ValueText;
import io.nightjar.jobs.sql.StoredAnomaly;
import io.nightjar.jobs.sql.StoredStory;
import io.nightjar.pipeline.explain.ReadLine;
import io.nightjar.pipeline.explain.StepSentences;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One anomaly on a page: of about {@value #MAX_LINES} lines, more where the reason needs them, since that is never cut.
 * Lines are as wide as the terminal.
 */
final class ExplainPage {

    static final int MAX_LINES = 25;
    static final int MAX_WIDTH = 120;

    private static final int INDENT = 6;
    private static final int MAX_RULE_LINES = 5;
    private static final int MAX_PROSE_CHARS = 800;
    private static final int MAX_EDGE_LINES = 3;
    private static final int MAX_STEPS = 8;
    private static final int MIN_WIDTH = 40;
    private static final int MIN_TXN_LINES = 5;

    private static final int MAX_NAME = 50;
    private static final int MAX_VALUE = 60;

    private final StoredAnomaly anomaly;
    private final Optional<Finding> finding;
    private final int width;

    ExplainPage(StoredAnomaly anomaly) {
        this(anomaly, Terminal.stdoutIsTerminal() ? Terminal.width() : MAX_WIDTH);
    }

    /** @param columns maximum width of lines */
    ExplainPage(StoredAnomaly anomaly, int columns) {
        this.anomaly = anomaly;
        this.finding = StoredStory.of(anomaly).map(ExplainedFinding::finding);
        this.width = Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, columns));
    }

    List<String> lines() {
        List<String> head = head();
        List<String> tail = tail();
        List<String> lines = new ArrayList<>(head);
        lines.addAll(txns(Math.max(MIN_TXN_LINES, MAX_LINES - head.size() - tail.size())));
        lines.addAll(tail);
        return lines;
    }

    private List<String> head() {
        List<String> keys = anomaly.keys();
        String level = anomaly.row().levelViolated();
        String first = anomaly.row().title()
                + (keys.isEmpty()
                        ? ""
                        : (keys.size() == 1 ? " on key " : " on keys ")
                                + ValueText.cut(String.join(", ", keys), MAX_NAME))
                + (level == null ? ", which alone rules out no level" : " rules out " + level);
        String second = "in " + shortened(anomaly.history(), MAX_NAME) + ", run "
                + shortened(anomaly.runId(), 40)
                + " of " + anomaly.finishedAt().replaceFirst("\\.\\d+Z$", "Z")
                + (anomaly.runCount() > 1 ? ", found by " + anomaly.runCount() + " runs" : "")
                + (anomaly.row().isDependingOnUnknown() ? ", depends on unknown outcomes" : "");
        List<String> lines = new ArrayList<>();
        addWrapped(lines, anomaly.id() + "  ", first, 3);
        addWrapped(lines, "", second, 3);
        return lines;
    }

    private List<String> txns(int maxChars) {
        List<LakeRow.AnomalyTxn> txns = anomaly.txns();
        int shown = txns.size() * 2 <= maxChars ? txns.size() : (maxChars - 1) / 2;
        List<String> lines = new ArrayList<>();
        for (LakeRow.AnomalyTxn txn : txns.subList(0, shown)) {
            addWrapped(lines, "  ", txnLine(txn).strip(), 2);
            lines.add(clipped(" ".repeat(INDENT) + opsLine(txn)));
        }
        if (shown < txns.size()) {
            int left = txns.size() - shown;
            lines.add("  and " + left + (left == 1 ? " more transaction" : " more transactions"));
        }
        return lines;
    }

    private static String txnLine(LakeRow.AnomalyTxn txn) {
        StringBuilder line = new StringBuilder("  T" + txn.txnId() + " " + txn.role());
        append(line, " session ", txn.sessionId());
        append(line, " seq ", txn.sessionSeq());
        append(line, " ", txn.status());
        append(line, " start ", txn.startTs());
        append(line, " commit ", txn.commitTs());
        if (txn.sourceFile() != null) {
            line.append(" ").append(shortened(txn.sourceFile(), 40));
            append(line, " row ", txn.sourceRow());
        }
        return line.toString();
    }

    private static void append(StringBuilder line, String name, @Nullable Object value) {
        if (value != null) {
            line.append(name).append(value);
        }
    }

    private String opsLine(LakeRow.AnomalyTxn txn) {
        String text = txn.opsText();
        if (text == null) {
            return "its operations are not in the tables";
        }
        int fault = txn.opIndex() == null ? -1 : txn.opIndex().intValue();
        return OpsText.parse(text, anomaly.keys())
                .cut(fault, width - INDENT - 2)
                .marked(anomaly.row().blames(txn) ? fault : -1);
    }

    private List<String> tail() {
        List<String> lines = new ArrayList<>();
        finding.map(found -> ReadLine.of(found, MAX_VALUE))
                .ifPresent(read -> addWrapped(lines, isOfARead() ? "read  " : "value ", read, MAX_RULE_LINES + 1));
        List<String> steps = finding.map(StepSentences::of).orElse(List.of());
        if (steps.isEmpty()) {
            addEdges(lines);
        }
        if (anomaly.rule() != null) {
            addWrapped(lines, "rule  ", anomaly.rule() + " (" + anomaly.definition() + ")", MAX_RULE_LINES);
        }
        if (steps.isEmpty()) {
            addWrapped(lines, "why   ", withoutRows(anomaly.explanation()), MAX_PROSE_CHARS / (width - INDENT) + 1);
        } else {
            addSteps(lines, steps);
        }
        addQuery(lines, anomaly.tableQuery());
        addQuery(lines, anomaly.historyQuery());
        return lines;
    }

    private boolean isOfARead() {
        return finding.orElseThrow().participants().stream().anyMatch(txn -> txn.role() == Role.READER);
    }

    /** Removes the further lines of an explanation, which list transactions that are on the page already. */
    private static @Nullable String withoutRows(@Nullable String explanation) {
        return explanation == null ? null : explanation.lines().findFirst().orElse("");
    }

    private void addEdges(List<String> lines) {
        if (anomaly.edges().isEmpty()) {
            return;
        }
        StringBuilder text = new StringBuilder();
        for (LakeRow.AnomalyEdge edge :
                anomaly.edges().subList(0, Math.min(20, anomaly.edges().size()))) {
            text.append(text.isEmpty() ? "" : ", ")
                    .append("T")
                    .append(edge.fromTxnId())
                    .append(" -")
                    .append(edge.edgeType())
                    .append("-> T")
                    .append(edge.toTxnId());
        }
        addWrapped(lines, "order ", text.toString(), MAX_EDGE_LINES);
    }

    /** Adds the steps of a cycle, each whole; of many, the first ones and the last, which closes it. */
    private void addSteps(List<String> lines, List<String> steps) {
        int shown = steps.size() <= MAX_STEPS ? steps.size() : MAX_STEPS - 1;
        for (int i = 0; i < steps.size(); i++) {
            if (i == shown - 1 && shown < steps.size()) {
                lines.add(" ".repeat(INDENT) + "  and " + (steps.size() - shown) + " more steps");
                i = steps.size() - 1;
            }
            List<String> wrapped = wrapped(steps.get(i), width - INDENT - 2);
            for (int line = 0; line < wrapped.size(); line++) {
                String label = i == 0 && line == 0 ? "why   " : " ".repeat(INDENT);
                lines.add(label + (line == 0 ? "- " : "  ") + wrapped.get(line));
            }
        }
    }

    /** Adds a statement, unless it does not fit or has control characters: then it cannot be run from the page. */
    private void addQuery(List<String> lines, String query) {
        if (!SanitizedText.flat(query).equals(query)) {
            return;
        }
        List<String> wrapped = wrapped(query, width - INDENT);
        if (wrapped.size() <= 4 && wrapped.stream().allMatch(line -> width(line) <= width - INDENT)) {
            for (int i = 0; i < wrapped.size(); i++) {
                lines.add((i == 0 ? "sql   " : "      ") + wrapped.get(i));
            }
        }
    }

    private void addWrapped(List<String> lines, String label, @Nullable String text, int maxLines) {
        if (text == null) {
            return;
        }
        List<String> wrapped = wrapped(SanitizedText.flat(text), width - Math.max(INDENT, width(label)));
        int left = wrapped.size() <= maxLines ? 0 : wrapped.size() - maxLines + 1;
        for (int i = 0; i < wrapped.size(); i++) {
            if (left > 0 && i == maxLines - 2) {
                lines.add((i == 0 ? label : " ".repeat(INDENT)) + "…");
                i += left; // the last line is the most important
            }
            lines.add(clipped((i == 0 ? label : " ".repeat(INDENT)) + wrapped.get(i)));
        }
    }

    /** Breaks at spaces; a word that is longer than a line stays whole. */
    private static List<String> wrapped(String text, int maxWidth) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.strip().split("\\s+")) {
            if (!line.isEmpty() && width(line) + 1 + width(word) > maxWidth) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    /** Shortens a path; its end is more informative than its start. */
    private static String shortened(String path, int maxWidth) {
        return width(path) <= maxWidth
                ? path
                : "…" + path.substring(path.offsetByCodePoints(path.length(), 1 - maxWidth));
    }

    private String clipped(String line) {
        return clipped(line, width);
    }

    private static String clipped(String line, int maxWidth) {
        String flat = SanitizedText.flat(line);
        return width(flat) <= maxWidth ? flat : flat.substring(0, flat.offsetByCodePoints(0, maxWidth - 1)) + "…";
    }

    private static int width(CharSequence text) {
        return Character.codePointCount(text, 0, text.length());
    }
}
