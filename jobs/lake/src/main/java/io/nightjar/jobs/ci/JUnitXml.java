package io.nightjar.jobs.ci;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult.LevelResult;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/**
 * Histories as suites of tests in JUnit's XML: a case for each level, which fails if it is violated and errs if it is
 * undecided.
 */
public final class JUnitXml {

    private static final int EXPLAINED = 3;
    private static final int MAX_CHARS = 10_000;

    private JUnitXml() {}

    public static String write(List<CiHistory> histories) {
        StringBuilder suites = new StringBuilder();
        int[] all = new int[3];
        double seconds = 0;
        for (CiHistory history : histories) {
            int[] counts = new int[3];
            StringBuilder cases = new StringBuilder();
            addCases(history, cases, counts);
            double took = history.result() == null ? 0 : history.result().seconds();
            suites.append("  <testsuite name=\"" + attribute(history.history()) + "\"" + attributes(counts, took)
                    + ">\n" + cases + "  </testsuite>\n");
            for (int i = 0; i < all.length; i++) {
                all[i] += counts[i];
            }
            seconds += took;
        }
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"nightjar\"" + attributes(all, seconds)
                + ">\n" + suites + "</testsuites>\n";
    }

    private static String attributes(int[] counts, double seconds) {
        return " tests=\"" + counts[0] + "\" failures=\"" + counts[1] + "\" errors=\"" + counts[2]
                + "\" skipped=\"0\" time=\"" + time(seconds) + '"';
    }

    private static void addCases(CiHistory history, StringBuilder cases, int[] counts) {
        if (history.result() == null) {
            counts[0]++;
            counts[2]++;
            begin(cases, history.history(), "history", 0);
            cases.append(">\n");
            addProblem(
                    cases,
                    "error",
                    history.whyFailed().verdict(),
                    history.whyFailed().message(),
                    "");
            cases.append("    </testcase>\n");
            return;
        }
        for (Map.Entry<IsolationLevel, LevelResult> level :
                history.result().levels().entrySet()) {
            addCase(history, level.getKey(), level.getValue(), cases, counts);
        }
    }

    private static void addCase(
            CiHistory history, IsolationLevel level, LevelResult answer, StringBuilder cases, int[] counts) {
        counts[0]++;
        begin(cases, history.history(), level.longName(), answer.seconds());
        boolean isViolated = answer.verdict() == Verdict.VIOLATED;
        if (isViolated && !history.isExcused()) {
            counts[1]++;
            cases.append(">\n");
            addProblem(cases, "failure", "violated", summary(answer), explanations(history, level, answer));
        } else if (isViolated) {
            cases.append(">\n      <system-out>"
                    + text("violated, by nothing new: " + summary(answer) + "; baseline " + history.baseline())
                    + "</system-out>\n");
        } else if (answer.verdict() == Verdict.UNDECIDED) {
            counts[2]++;
            cases.append(">\n");
            addProblem(cases, "error", "undecided", "undecided: " + answer.reason(), "");
        } else {
            cases.append("/>\n");
            return;
        }
        cases.append("    </testcase>\n");
    }

    private static void begin(StringBuilder cases, String history, String name, double seconds) {
        cases.append("    <testcase classname=\"" + attribute(history) + "\" name=\"" + attribute(name) + "\" time=\""
                + time(seconds) + "\"");
    }

    private static void addProblem(StringBuilder cases, String element, String type, String message, String body) {
        cases.append("      <" + element + " type=\"" + type + "\" message=\"" + attribute(message) + "\">" + text(body)
                + "</" + element + ">\n");
    }

    /** Returns a text such as {@code 3 anomalies: EXT 2, INT 1}. */
    static String summary(LevelResult answer) {
        StringJoiner types = new StringJoiner(
                ", ",
                answer.bound() + answer.anomalies() + (answer.anomalies() == 1 ? " anomaly: " : " anomalies: "),
                "");
        answer.types().forEach((type, count) -> types.add(type + " " + count));
        return types.toString();
    }

    private static String explanations(CiHistory history, IsolationLevel level, LevelResult answer) {
        StringJoiner texts = new StringJoiner("\n\n");
        history.anomalies().stream()
                .filter(anomaly -> answer.types().containsKey(anomaly.type()))
                .sorted(Comparator.comparing(
                        // anomalies first that only this level rules out
                        anomaly -> !level.longName().equals(anomaly.level())))
                .limit(EXPLAINED)
                .forEach(anomaly -> texts.add(anomaly.title() + "  " + anomaly.id() + "\n" + anomaly.explanation()));
        return texts.toString();
    }

    private static String time(double seconds) {
        return String.format(Locale.ROOT, "%.3f", seconds);
    }

    private static String attribute(String raw) {
        return text(raw).replace("\"", "&quot;").replace("\n", "&#10;").replace("\t", "&#9;");
    }

    /** Escapes text. XML does not allow some characters, however they are written; these become JSON's escapes. */
    private static String text(String raw) {
        String cut = raw.length() <= MAX_CHARS ? raw : raw.substring(0, MAX_CHARS) + "…";
        StringBuilder xml = new StringBuilder(cut.length() + 16);
        cut.codePoints().forEach(c -> {
            switch (c) {
                case '<' -> xml.append("&lt;");
                case '>' -> xml.append("&gt;");
                case '&' -> xml.append("&amp;");
                default -> {
                    boolean isAllowed =
                            c == '\t' || c == '\n' || c >= 0x20 && c < 0xd800 || c > 0xdfff && c < 0xfffe || c > 0xffff;
                    if (isAllowed) {
                        xml.appendCodePoint(c);
                    } else {
                        xml.append(String.format(Locale.ROOT, "\\u%04x", c));
                    }
                }
            }
        });
        return xml.toString();
    }
}
