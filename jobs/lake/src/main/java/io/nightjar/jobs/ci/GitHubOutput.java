package io.nightjar.jobs.ci;

import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.SanitizedText;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.AnomalyDefinition;
import io.nightjar.jobs.RunResult.LevelResult;
import io.nightjar.jobs.ci.CiHistory.Failure;
import io.nightjar.jobs.lake.LakeRow;
import io.nightjar.pipeline.explain.StepSentences;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Output for GitHub Actions: annotations among a step's output, and a page in Markdown for its summary. */
public final class GitHubOutput {

    /** Maximum size of the page of a step, in bytes. */
    public static final int MAX_SUMMARY_BYTES = 1 << 20;

    /** GitHub shows this many errors of a step and ignores the others. */
    private static final int MAX_ERRORS = 10;

    private static final int MAX_CHARS = 1_000;
    private static final int LISTED = 100;

    private GitHubOutput() {}

    /**
     * Returns the annotations, one a line: first histories that could not be checked, then violations with their
     * anomalies, then undecided levels.
     */
    public static List<String> annotations(List<CiHistory> histories) {
        List<String> errors = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (CiHistory history : histories) {
            if (history.result() == null) {
                Failure failure = history.whyFailed();
                InputLocation location = failure.location();
                errors.add(command(
                        "error",
                        location == null ? null : location.file(),
                        location == null ? 0 : location.row(),
                        history.history() + ": " + failure.verdict(),
                        failure.message()));
            }
        }
        for (CiHistory history : histories) {
            for (CiAnomaly anomaly : history.anomalies()) {
                LakeRow.AnomalyTxn first = anomaly.atFault();
                boolean counts = anomaly.level() != null && !(history.mustBeNew() && !anomaly.isNew());
                String line = command(
                        counts ? "error" : "warning",
                        first == null ? null : first.sourceFile(),
                        first == null || first.sourceRow() == null ? 0 : first.sourceRow(),
                        anomaly.title(),
                        anomaly.explanation() + " (" + anomaly.id() + ")");
                (counts ? errors : others).add(line);
            }
            if (history.result() != null) {
                history.result().levels().forEach((level, answer) -> {
                    if (answer.verdict() == Verdict.UNDECIDED) {
                        others.add(command(
                                "warning",
                                null,
                                0,
                                history.history() + ": " + level.longName() + " undecided",
                                answer.reason()));
                    }
                });
            }
        }
        List<String> lines = new ArrayList<>(errors.subList(0, Math.min(MAX_ERRORS, errors.size())));
        lines.addAll(others.subList(0, Math.min(MAX_ERRORS, others.size())));
        for (CiHistory history : histories) {
            String partly = history.partlyCounted();
            if (partly != null) {
                lines.add(command("notice", null, 0, history.history(), partly));
            }
            if (history.newDoubt() != null) {
                lines.add(command("warning", null, 0, history.history(), history.newDoubt()));
            }
        }
        long all = histories.stream()
                .mapToLong(history -> history.faults().count())
                .sum();
        int cut = Math.max(0, errors.size() - MAX_ERRORS) + Math.max(0, others.size() - MAX_ERRORS);
        if (cut > 0) {
            lines.add(command(
                    "notice",
                    null,
                    0,
                    "nightjar",
                    "not all is shown here: anomalies=" + all + "; the summary has more"));
        }
        return lines;
    }

    private static String command(
            String kind, @Nullable String file, long row, String title, @Nullable String message) {
        String location = file == null || file.equals("-")
                ? ""
                : "file=" + property(file) + "," + (row > 0 ? "line=" + row + "," : "");
        return "::" + kind + " " + location + "title=" + property(cut(title)) + "::"
                + data(cut(String.valueOf(message)));
    }

    private static String data(String text) {
        return SanitizedText.lines(text).replace("%", "%25").replace("\n", "%0A");
    }

    private static String property(String text) {
        return data(text).replace(":", "%3A").replace(",", "%2C");
    }

    private static String cut(@Nullable String text) {
        String plain = text == null ? "" : text;
        return plain.length() <= MAX_CHARS ? plain : plain.substring(0, MAX_CHARS) + "…";
    }

    /** Returns the page for the summary, in at most the given number of bytes; it states whether it was cut. */
    public static String summary(List<CiHistory> histories, long maxBytes) {
        List<String> sections = new ArrayList<>();
        for (CiHistory history : histories) {
            sections.add(
                    "### " + cell(history.history()) + ": " + history.verdict().toUpperCase(java.util.Locale.ROOT)
                            + history.faults().suffix()
                            + (history.isExcused() ? ", nothing new" : "") + "\n\n");
            if (history.result() == null) {
                sections.add(cell(history.whyFailed().message()) + "\n\n");
                continue;
            }
            sections.add("%,d transactions, %,d operations, %,d sessions, %,d keys, %.1f s%s%n%n"
                    .formatted(
                            history.result().transactions(),
                            history.result().operations(),
                            history.result().sessions(),
                            history.result().keys(),
                            history.result().seconds(),
                            history.result().runId() == null
                                    ? ""
                                    : ", run " + history.result().runId()));
            StringBuilder table = new StringBuilder("| level | verdict | by | anomalies |\n|---|---|---|---|\n");
            for (Map.Entry<IsolationLevel, LevelResult> level :
                    history.result().levels().entrySet()) {
                LevelResult answer = level.getValue();
                String summary = answer.anomalies() > 0
                        ? JUnitXml.summary(answer)
                        : answer.reason() == null ? "" : answer.reason();
                table.append("| " + level.getKey().longName() + " | "
                        + answer.verdict().word() + " | " + answer.evidence() + " | " + cell(summary) + " |\n");
            }
            sections.add(table.append('\n').toString());
            if (history.baseline() != null) {
                sections.add("New since " + history.baseline() + ": " + history.newCount()
                        + (history.newDoubt() == null ? "" : "; " + cell(history.newDoubt())) + "\n\n");
            }
            addAnomalies(history, sections);
        }
        return joined(sections, maxBytes);
    }

    private static void addAnomalies(CiHistory history, List<String> sections) {
        if (history.anomalies().isEmpty()) {
            return;
        }
        sections.add((history.baseline() == null ? "" : "| new ") + "| anomaly | id | explanation |\n"
                + (history.baseline() == null ? "" : "|---") + "|---|---|---|\n");
        for (CiAnomaly anomaly : history.anomalies()
                .subList(0, Math.min(LISTED, history.anomalies().size()))) {
            sections.add((history.baseline() == null ? "" : anomaly.isNew() ? "| yes " : "| ") + "| " + linked(anomaly)
                    + " | " + anomaly.id() + " | " + cell(brief(anomaly)) + " |\n");
        }
        long more =
                history.anomalyCount() - Math.min(LISTED, history.anomalies().size());
        sections.add("\n" + (more > 0 ? more + " more in the tables.\n\n" : ""));
    }

    private static String brief(CiAnomaly anomaly) {
        return StepSentences.brief(Objects.requireNonNullElse(anomaly.explanation(), ""), MAX_CHARS);
    }

    /** Returns the title of an anomaly, with a link to the definition of its type if its address is known. */
    private static String linked(CiAnomaly anomaly) {
        String address = AnomalyDefinition.address(anomaly.type());
        return address == null || !address.startsWith("http")
                ? cell(anomaly.title())
                : "[" + cell(anomaly.title()) + "](" + address + ")";
    }

    /** Returns a cell of Markdown: keys and values may contain any characters, some of which are Markdown. */
    private static String cell(String text) {
        String flat = SanitizedText.oneLine(cut(text));
        StringBuilder safe = new StringBuilder(flat.length() + 16);
        for (int i = 0; i < flat.length(); i++) {
            char c = flat.charAt(i);
            switch (c) {
                case '&' -> safe.append("&amp;");
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '|', '`', '*', '_', '[', ']', '#', '!', '\\', '~', '@' ->
                    safe.append("&#").append((int) c).append(';');
                default -> safe.append(c);
            }
        }
        return safe.toString();
    }

    private static String joined(List<String> sections, long maxBytes) {
        String cut = "\n(cut: a step's summary holds no more)\n";
        StringBuilder page = new StringBuilder();
        long bytes = 0;
        for (String section : sections) {
            long more = section.getBytes(StandardCharsets.UTF_8).length;
            if (bytes + more + cut.length() > maxBytes) {
                return cut.length() + bytes > maxBytes ? "" : page.append(cut).toString();
            }
            page.append(section);
            bytes += more;
        }
        return page.toString();
    }
}
