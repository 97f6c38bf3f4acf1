package io.nightjar.jobs.cli;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.PlainText;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResult.LevelResult;
import io.nightjar.jobs.RunResult.ListedAnomaly;
import io.nightjar.jobs.local.CheckOptions;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/** What {@code check} prints for a person: at most some twenty lines for each history. */
final class CheckSummary {

    private static final int SHOWN = 3;

    private CheckSummary() {}

    static String of(RunResult result, CheckOptions options) {
        StringJoiner lines = new StringJoiner("\n");
        lines.add("%s: %s  (%,d transactions, %,d operations, %,d sessions, %,d keys, %.1f s)"
                .formatted(
                        result.history(),
                        result.verdict().word().toUpperCase(Locale.ROOT),
                        result.transactions(),
                        result.operations(),
                        result.sessions(),
                        result.keys(),
                        result.seconds()));
        for (Map.Entry<IsolationLevel, LevelResult> level : result.levels().entrySet()) {
            lines.add(line(level.getKey(), level.getValue()));
        }
        int shown = 0;
        for (ListedAnomaly anomaly : result.anomalies()) {
            if (shown++ == SHOWN) {
                break;
            }
            lines.add("");
            lines.add("  " + anomaly.type() + " " + anomaly.id());
            lines.add("  " + PlainText.flat(anomaly.explanation()));
        }
        if (!result.anomalies().isEmpty() && result.runId() != null) {
            lines.add("");
            lines.add("  more: nightjar explain " + options.lake() + " "
                    + result.anomalies().get(0).id());
            lines.add("  all:  nightjar sql --lake " + options.lake() + " \"select * from v_anomalies_readable\"");
        }
        return lines.toString();
    }

    private static String line(IsolationLevel level, LevelResult result) {
        StringBuilder line = new StringBuilder("  %-20s %-10s by %s"
                .formatted(level.longName(), result.verdict().word(), result.evidence()));
        result.types().forEach((type, count) -> line.append("  %s %,d".formatted(type, count)));
        return result.reason() == null
                ? line.toString()
                : line.append("  ").append(result.reason()).toString();
    }
}
