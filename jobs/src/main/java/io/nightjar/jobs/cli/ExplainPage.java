package io.nightjar.jobs.cli;

import io.nightjar.formats.history.PlainText;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.lake.OpsText;
import io.nightjar.jobs.lake.ValueText;
import io.nightjar.jobs.sql.AnomalyLookup;
import io.nightjar.jobs.sql.AnomalyLookup.Evidence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One anomaly on a page of at most {@value #MAX_LINES} lines that fit on any screen. */
final class ExplainPage {

    static final int MAX_LINES = 25;
    static final int MAX_WIDTH = 120;

    private static final int INDENT = 6;
    private static final int MAX_RULE_LINES = 2;
    private static final int MAX_WHY_LINES = 4;
    private static final int MAX_EDGE_LINES = 2;
    private static final int MAX_STEPS = 8;

    /** Begins the steps in an explanation of the form that Elle's users know. */
    private static final String THEN = "Then:\n";

    private static final int MAX_NAME = 50;
    private static final int MAX_VALUE = 60;

    private final Evidence evidence;

    ExplainPage(Evidence evidence) {
        this.evidence = evidence;
    }

    List<String> lines() {
        List<String> head = head();
        List<String> tail = tail();
        List<String> lines = new ArrayList<>(head);
        lines.addAll(txns(MAX_LINES - head.size() - tail.size()));
        lines.addAll(tail);
        return lines;
    }

    private List<String> head() {
        List<String> keys = evidence.keys();
        String pattern = evidence.text("pattern");
        String level = evidence.text("level_violated");
        String first = evidence.text("anomaly_id") + "  " + evidence.text("anomaly_type")
                + (pattern == null ? "" : " (" + pattern + ")")
                + (keys.isEmpty()
                        ? ""
                        : (keys.size() == 1 ? " on key " : " on keys ")
                                + ValueText.cut(String.join(", ", keys), MAX_NAME))
                + (level == null ? ", which rules out no level by itself" : " rules out " + level);
        String second = "in " + shortened(evidence.history(), MAX_NAME) + ", run "
                + shortened(evidence.text("run_id"), 40)
                + " of " + evidence.finishedAt().replaceFirst("\\.\\d+Z$", "Z")
                + (evidence.runCount() > 1 ? ", found by " + evidence.runCount() + " runs" : "")
                + ("true".equals(evidence.text("is_depending_on_unknown")) ? ", depends on unknown outcomes" : "");
        return List.of(clipped(first), clipped(second));
    }

    private List<String> txns(int room) {
        List<Map<String, Object>> txns = evidence.txns();
        int shown = txns.size() * 2 <= room ? txns.size() : (room - 1) / 2;
        List<String> lines = new ArrayList<>();
        for (Map<String, Object> txn : txns.subList(0, shown)) {
            lines.add(clipped(txnLine(txn)));
            lines.add(clipped(" ".repeat(INDENT) + opsLine(txn)));
        }
        if (shown < txns.size()) {
            lines.add("  and " + (txns.size() - shown) + " more transactions");
        }
        return lines;
    }

    private static String txnLine(Map<String, Object> txn) {
        StringBuilder line = new StringBuilder("  T" + txn.get("txn_id") + " " + txn.get("role"));
        append(line, " session ", txn.get("session_id"));
        append(line, " seq ", txn.get("session_seq"));
        append(line, " ", txn.get("status"));
        append(line, " start ", txn.get("start_ts"));
        append(line, " commit ", txn.get("commit_ts"));
        if (txn.get("source_file") != null) {
            line.append(" ").append(shortened(txn.get("source_file").toString(), 40));
            append(line, " row ", txn.get("source_row"));
        }
        return line.toString();
    }

    private static void append(StringBuilder line, String name, Object value) {
        if (value != null) {
            line.append(name).append(value);
        }
    }

    private String opsLine(Map<String, Object> txn) {
        String text = (String) txn.get("ops_text");
        if (text == null) {
            return "its operations are not in the tables";
        }
        int fault = txn.get("op_index") == null ? -1 : ((Number) txn.get("op_index")).intValue();
        List<String> keys = evidence.keys();
        return OpsText.parse(text, keys.size() == 1 ? keys.get(0) : null)
                .cut(fault, MAX_WIDTH - INDENT - 2)
                .marked(fault);
    }

    private List<String> tail() {
        List<String> lines = new ArrayList<>();
        if (evidence.text("expected_value") != null || evidence.text("observed_value") != null) {
            lines.add(clipped(read()));
        }
        String explanation = evidence.text("explanation");
        int then = explanation == null ? -1 : explanation.indexOf(THEN);
        if (then < 0) {
            addEdges(lines);
        }
        addWrapped(lines, "rule  ", rule(), MAX_RULE_LINES);
        if (then < 0) {
            addWrapped(lines, "why   ", withoutRows(explanation), MAX_WHY_LINES);
        } else {
            addSteps(lines, explanation.substring(then + THEN.length()));
        }
        addQuery(lines, AnomalyLookup.tableQuery(evidence));
        addQuery(lines, AnomalyLookup.historyQuery(evidence));
        return lines;
    }

    /** Further lines of an explanation list the transactions, which are on the page already. */
    private static String withoutRows(String explanation) {
        return explanation == null ? null : explanation.lines().findFirst().orElse("");
    }

    private String read() {
        String expected = evidence.text("expected_value");
        String observed = evidence.text("observed_value");
        int difference = ValueText.firstDifference(expected, observed);
        String origin = evidence.text("observed_origin");
        return "read  expected " + value(expected, difference) + writer("expected_writer_txn_id") + ", observed "
                + value(observed, difference) + writer("observed_writer_txn_id")
                + (origin == null ? "" : " (" + origin + ")");
    }

    private static String value(String value, int difference) {
        return value == null ? "the initial state" : ValueText.cutAround(value, difference, MAX_VALUE / 2);
    }

    private String writer(String column) {
        String txnId = evidence.text(column);
        return txnId == null ? "" : " of T" + txnId;
    }

    private void addEdges(List<String> lines) {
        if (evidence.edges().isEmpty()) {
            return;
        }
        StringBuilder text = new StringBuilder();
        for (Map<String, Object> edge :
                evidence.edges().subList(0, Math.min(20, evidence.edges().size()))) {
            text.append(text.isEmpty() ? "" : ", ")
                    .append("T")
                    .append(edge.get("from_txn_id"))
                    .append(" -")
                    .append(edge.get("edge_type"))
                    .append("-> T")
                    .append(edge.get("to_txn_id"));
        }
        addWrapped(lines, "order ", text.toString(), MAX_EDGE_LINES);
    }

    /** What the anomaly breaks, if this version knows it. */
    private String rule() {
        return rule(evidence);
    }

    static String rule(Evidence evidence) {
        Anomaly anomaly = Anomaly.bySpelling(evidence.text("anomaly_type"));
        String level = evidence.text("level_violated");
        return anomaly == null ? null : anomaly.rule(level == null ? null : IsolationLevel.byName(level));
    }

    /** The steps of a cycle, a line for each; the transactions are on the page already. */
    private static void addSteps(List<String> lines, String text) {
        List<String> steps = text.strip().lines().map(String::strip).toList();
        int shown = steps.size() <= MAX_STEPS ? steps.size() : MAX_STEPS - 1;
        for (int i = 0; i < shown; i++) {
            lines.add(clipped((i == 0 ? "why   " : " ".repeat(INDENT)) + steps.get(i)));
        }
        if (shown < steps.size()) {
            lines.add(" ".repeat(INDENT) + "and " + (steps.size() - shown) + " more steps");
        }
    }

    /** A statement that does not fit cannot be run from the page, so it is left out. */
    private static void addQuery(List<String> lines, String query) {
        List<String> wrapped = wrapped(query, MAX_WIDTH - INDENT);
        if (wrapped.size() <= 3 && wrapped.stream().allMatch(line -> width(line) <= MAX_WIDTH - INDENT)) {
            for (int i = 0; i < wrapped.size(); i++) {
                lines.add((i == 0 ? "sql   " : "      ") + wrapped.get(i));
            }
        }
    }

    private static void addWrapped(List<String> lines, String label, String text, int maxLines) {
        if (text == null) {
            return;
        }
        List<String> wrapped = wrapped(text, MAX_WIDTH - INDENT);
        for (int i = 0; i < Math.min(maxLines, wrapped.size()); i++) {
            boolean isCutHere = i == maxLines - 1 && wrapped.size() > maxLines;
            String line = (i == 0 ? label : " ".repeat(INDENT)) + wrapped.get(i);
            lines.add(isCutHere ? clipped(line + " …", MAX_WIDTH - 2) : clipped(line));
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

    /** The end of a long path says more than its start. */
    private static String shortened(String path, int maxWidth) {
        return width(path) <= maxWidth
                ? path
                : "…" + path.substring(path.offsetByCodePoints(path.length(), 1 - maxWidth));
    }

    private static String clipped(String line) {
        return clipped(line, MAX_WIDTH);
    }

    private static String clipped(String line, int maxWidth) {
        String flat = PlainText.flat(line);
        return width(flat) <= maxWidth ? flat : flat.substring(0, flat.offsetByCodePoints(0, maxWidth - 1)) + "…";
    }

    private static int width(CharSequence text) {
        return Character.codePointCount(text, 0, text.length());
    }
}
