package io.nightjar.jobs.options;

import io.nightjar.formats.history.SanitizedText;
import io.nightjar.formats.level.ElleRuledOutLevels;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.CommandHint;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResult.LevelResult;
import io.nightjar.jobs.RunResult.Lint;
import io.nightjar.jobs.RunResult.ListedAnomaly;
import io.nightjar.jobs.command.AnsiStyle;
import io.nightjar.jobs.run.CheckOptions;
import io.nightjar.pipeline.explain.StepSentences;
import io.nightjar.pipeline.validate.LintRule;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** The text that {@code check} prints: at most some twenty lines for each history. */
public final class CheckSummary {

    private static final int SHOWN = 3;
    private static final int LINT_SHOWN = 3;
    private static final int MAX_EXPLANATION_LINES = 8;
    private static final int MAX_LINES_OF_FIRST = 14;
    private static final int MAX_FLAT_CHARS = 240;

    private CheckSummary() {}

    /** @param wanted number of anomalies to list; null for a few, at least one of each type */
    public static String of(RunResult result, CheckOptions options, @Nullable Integer wanted) {
        StringJoiner lines = new StringJoiner("\n");
        lines.add("%s: %s%s  (%s, %s, %s, %s, %.1f s)"
                .formatted(
                        SanitizedText.flat(result.history()),
                        AnsiStyle.of(result.verdict())
                                .on(result.verdict().word().toUpperCase(Locale.ROOT)),
                        result.report().faults().suffix(),
                        counted(result.transactions(), "transaction"),
                        counted(result.operations(), "operation"),
                        counted(result.sessions(), "session"),
                        counted(result.keys(), "key"),
                        result.seconds()));
        int width = width(result);
        for (Map.Entry<IsolationLevel, LevelResult> level : result.levels().entrySet()) {
            lines.add(line(level.getKey(), level.getValue(), width, isEmpty(result)));
        }
        addLint(lines, result.lint());
        if (result.ruledOut() != null && !result.ruledOut().not().isEmpty()) {
            lines.add(ruledOut(result.ruledOut()));
        }
        addAnomalies(lines, result, wanted);
        Path lake = options.lake();
        ListedAnomaly first = result.firstAnomaly();
        if (first != null && result.runId() != null && lake != null) {
            lines.add("");
            lines.add("  more: " + CommandHint.of("explain", lake, first.id()));
            lines.add("  all:  " + CommandHint.of("sql", "--lake", lake, "from v_anomalies_readable"));
        }
        return lines.toString();
    }

    private static String counted(long count, String noun) {
        return "%,d %s%s".formatted(count, noun, count == 1 ? "" : "s");
    }

    private static boolean isEmpty(RunResult result) {
        return result.lint().stream().anyMatch(lint -> lint.ruleId().equals(LintRule.NOTHING_COMMITTED.id()));
    }

    /** Adds the number of lint findings, and the most severe of them. */
    private static void addLint(StringJoiner lines, List<Lint> lint) {
        if (lint.isEmpty()) {
            return;
        }
        Map<String, Integer> countBySeverity = new LinkedHashMap<>();
        lint.forEach(each -> countBySeverity.merge(each.severity(), 1, Integer::sum));
        StringJoiner counts = new StringJoiner(", ");
        countBySeverity.forEach((severity, count) ->
                counts.add(count + " " + (severity.equals("info") ? "note" : severity) + (count == 1 ? "" : "s")));
        lines.add("  lint: " + counts);
        lint.stream()
                .filter(each -> !each.severity().equals("info"))
                .limit(LINT_SHOWN)
                .forEach(each -> lines.add(
                        "    " + each.severity() + " " + each.ruleId() + "  " + SanitizedText.flat(each.message())));
    }

    /** Adds each fault once, in its clearest form; its other forms follow its type. */
    private static void addAnomalies(StringJoiner lines, RunResult result, @Nullable Integer wanted) {
        Set<String> types = new LinkedHashSet<>();
        result.anomalies().forEach(anomaly -> types.add(anomaly.type()));
        int maxListed = wanted == null ? Math.max(SHOWN, types.size()) : wanted;
        Set<String> shown = new HashSet<>();
        Set<String> shownTypes = new HashSet<>();
        long listed = 0;
        int linesLeft = MAX_EXPLANATION_LINES;
        for (ListedAnomaly anomaly : result.anomalies()) {
            boolean isListed = shown.contains(anomaly.tellings().relatedTo());
            boolean isWanted =
                    wanted != null || !shownTypes.contains(anomaly.type()) || shown.size() < SHOWN && linesLeft >= 0;
            if (isListed || !isWanted || shown.size() == maxListed) {
                continue;
            }
            List<String> also = anomaly.tellings().also();
            shown.add(anomaly.id());
            shownTypes.add(anomaly.type());
            shownTypes.addAll(also);
            listed += anomaly.level() == null ? 0 : 1;
            lines.add("");
            lines.add("  " + anomaly.title() + " " + anomaly.id() + also(also));
            linesLeft -=
                    addExplanation(lines, anomaly.explanation(), shown.size() == 1 ? MAX_LINES_OF_FIRST : linesLeft);
        }
        long more = result.report().faults().count() - listed;
        if (more > 0) {
            lines.add("");
            lines.add("  and %s%,d more".formatted(result.report().faults().bound(), more));
        }
    }

    private static String also(List<String> types) {
        Map<String, Integer> countOf = new LinkedHashMap<>();
        types.forEach(type -> countOf.merge(type, 1, Integer::sum));
        StringJoiner also = new StringJoiner(", ", "  also: ", "");
        countOf.forEach((type, count) -> also.add(count == 1 ? type : type + " (" + count + ")"));
        return types.isEmpty() ? "" : also.toString();
    }

    /** Adds an explanation in its own lines if that many lines are free, else in one; returns the number of lines. */
    public static int addExplanation(StringJoiner lines, String explanation, int linesLeft) {
        List<String> text = explanation.lines().toList();
        if (text.size() > 1 && text.size() <= linesLeft) {
            text.forEach(line -> lines.add("  " + SanitizedText.flat(line)));
            return text.size();
        }
        lines.add("  "
                + (text.size() > 1
                        ? StepSentences.brief(explanation, MAX_FLAT_CHARS)
                        : SanitizedText.oneLine(explanation)));
        return 1;
    }

    /**
     * Returns the width of the column of names: that of the longest name or of the names of most checks, so that
     * histories line up.
     */
    private static int width(RunResult result) {
        int width = 20;
        for (IsolationLevel level : result.levels().keySet()) {
            width = Math.max(width, level.longName().length());
        }
        return width;
    }

    private static String line(IsolationLevel level, LevelResult result, int width, boolean isEmpty) {
        String name = level.longName() + " ".repeat(width - level.longName().length());
        if (isEmpty && result.verdict() == Verdict.HOLDS) {
            return "  " + name + " " + AnsiStyle.of(Verdict.HOLDS).on("holds") + ", but no transaction was checked";
        }
        StringBuilder line =
                new StringBuilder("  %s %s by %s".formatted(name, padded(result.verdict()), result.evidence()));
        StringJoiner types = new StringJoiner("  ", "  " + result.bound(), "");
        result.types().forEach((type, count) -> types.add("%s %,d".formatted(type, count)));
        line.append(result.types().isEmpty() ? "" : types);
        return result.reason() == null
                ? line.toString()
                : line.append("  ").append(SanitizedText.flat(result.reason())).toString();
    }

    private static String padded(Verdict verdict) {
        return AnsiStyle.of(verdict).on("%-10s".formatted(verdict.word()));
    }

    /** Returns the levels that are ruled out, by Elle's names, where serializable is our PL-3. */
    private static String ruledOut(ElleRuledOutLevels ruledOut) {
        StringJoiner weakest = new StringJoiner(", ");
        ruledOut.because().forEach((level, anomalies) -> weakest.add(level + " by " + String.join(" ", anomalies)));
        List<String> stronger = ruledOut.alsoNot();
        String rest =
                switch (stronger.size()) {
                    case 0 -> "";
                    case 1, 2, 3, 4, 5 -> "; so also " + String.join(", ", stronger);
                    default -> "; so also %d stronger ones".formatted(stronger.size());
                };
        return "  ruled out of Elle's levels: " + weakest + rest;
    }
}
