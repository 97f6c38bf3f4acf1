package io.nightjar.jobs;

import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.level.ElleRuledOutLevels;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult.LevelResult;
import io.nightjar.jobs.RunResult.Lint;
import io.nightjar.jobs.RunResult.ListedAnomaly;
import io.nightjar.jobs.RunResult.Tellings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A {@link RunResult} as the single-line JSON object that {@code check --json} prints, and back. */
public final class RunResultJson {

    /** The version of the object's shape, in its key {@code schema}. */
    public static final int SCHEMA = 1;

    private RunResultJson() {}

    /** Returns the object on one line, without a line end. */
    public static String write(RunResult result) {
        return write(result, false);
    }

    /**
     * Writes the same with the result of a comparison.
     *
     * @param baseline the run that it was compared with
     */
    public static String writeCompared(RunResult result, String baseline, long newAnomalies) {
        String alone = write(result);
        return alone.substring(0, alone.length() - 1) + ",\"baseline\":\"" + baseline + "\",\"new_anomalies\":"
                + newAnomalies + "}";
    }

    /** Writes a result with all data that {@link #read} needs to restore it. */
    public static String writeWhole(RunResult result) {
        return write(result, true);
    }

    /**
     * Writes the object that replaces a missing result.
     *
     * @param verdict {@code rejected} if the input is not a history, else {@code failed}
     * @param location location of the error; null if it has none
     */
    public static String notChecked(String history, String verdict, String error, @Nullable InputLocation location) {
        JsonObject object = new JsonObject()
                .put("schema", SCHEMA)
                .put("history", history)
                .put("verdict", verdict)
                .put("error", error);
        if (location != null) {
            object.put("file", location.file())
                    .putPresent("row", location.row() > 0 ? location.row() : null)
                    .putPresent("column", location.column());
        }
        return object.text();
    }

    private static String write(RunResult result, boolean isWhole) {
        JsonObject object = new JsonObject()
                .put("schema", SCHEMA)
                .put("history", result.history())
                .put("verdict", result.verdict().word())
                .put("transactions", result.transactions())
                .put("operations", result.operations())
                .put("sessions", result.sessions())
                .put("keys", result.keys())
                .put("evidence", result.evidence())
                .put("engine", result.engine())
                .put("run_id", result.runId())
                .put("seconds", JsonNumbers.seconds(result.seconds()))
                .put("levels", levels(result));
        if (result.ruledOut() != null) {
            object.put("not", result.ruledOut().not())
                    .put("also_not", result.ruledOut().alsoNot())
                    .put("not_because", result.ruledOut().because());
        }
        object.putEach("anomalies", result.anomalies(), RunResultJson::object);
        if (isWhole) {
            object.put("anomaly_count", result.report().anomalyCount())
                    .put("fault_count", result.report().faults().count())
                    .put("fault_count_exact", result.report().faults().isExact())
                    .putPresent("tellings", tellings(result.anomalies()));
        }
        return object.putEach("lint", result.lint(), lint -> object(lint).put("message", lint.message()))
                .text();
    }

    /** Returns the forms of faults of reads, and of faults with several forms; null if none. */
    private static @Nullable JsonObject tellings(List<ListedAnomaly> anomalies) {
        JsonObject tellings = null;
        for (ListedAnomaly anomaly : anomalies) {
            if (!anomaly.tellings().equals(Tellings.ALONE)) {
                tellings = tellings == null ? new JsonObject() : tellings;
                tellings.put(
                        anomaly.id(),
                        new JsonObject()
                                .put("observed_origin", anomaly.tellings().origin())
                                .put("related_anomaly_id", anomaly.tellings().relatedTo())
                                .put("also", anomaly.tellings().also()));
            }
        }
        return tellings;
    }

    /** Returns the answer at each level. */
    public static JsonObject levels(RunResult result) {
        JsonObject levels = new JsonObject();
        result.levels()
                .forEach((level, answer) -> levels.put(
                        level.longName(),
                        new JsonObject()
                                .put("verdict", answer.verdict().word())
                                .put("evidence", answer.evidence())
                                .putPresent("reason", answer.reason())
                                .put("anomalies", answer.anomalies())
                                .put("types", answer.types())
                                .putPresent("exact", answer.verdict() == Verdict.VIOLATED ? answer.isExact() : null)));
        return levels;
    }

    /** Returns a lint finding without its message. */
    public static JsonObject object(Lint lint) {
        return new JsonObject()
                .put("rule_id", lint.ruleId())
                .put("severity", lint.severity())
                .put("count", lint.count());
    }

    private static JsonObject object(ListedAnomaly anomaly) {
        return new JsonObject()
                .put("id", anomaly.id())
                .put("type", anomaly.type())
                .put("pattern", anomaly.pattern())
                .put("level", anomaly.level() == null ? null : anomaly.level().longName())
                .put("transactions", anomaly.transactions())
                .put("key", anomaly.key())
                .put("explanation", anomaly.explanation());
    }

    /**
     * Returns the result that {@link #writeWhole(RunResult)} wrote; seconds of single levels are not in the object and
     * are 0.
     */
    public static RunResult read(String text) {
        try {
            return read(JsonMembers.parse(text));
        } catch (IOException e) {
            throw new IllegalArgumentException("not a result: text=" + text, e);
        }
    }

    /** Returns the result with these members. */
    public static RunResult read(JsonMembers run) throws IOException {
        Map<IsolationLevel, LevelResult> levels = new LinkedHashMap<>();
        JsonMembers ofLevels = run.object("levels");
        for (String name : ofLevels.names()) {
            levels.put(level(name), level(ofLevels.object(name)));
        }
        List<ListedAnomaly> anomalies = new ArrayList<>();
        for (JsonMembers anomaly : run.objects("anomalies")) {
            anomalies.add(anomaly(anomaly, run.object("tellings").object(anomaly.text("id"))));
        }
        List<Lint> lint = new ArrayList<>();
        for (JsonMembers finding : run.objects("lint")) {
            lint.add(new Lint(
                    finding.text("rule_id"),
                    finding.text("severity"),
                    finding.number("count", 0),
                    finding.text("message")));
        }
        long anomalyCount = run.number("anomaly_count", 0);
        long faultCount = run.number("fault_count", anomalyCount); // missing in runs stored by older versions
        Map<String, List<String>> because = new LinkedHashMap<>();
        JsonMembers ofBecause = run.object("not_because");
        ofBecause.names().forEach(name -> because.put(name, ofBecause.texts(name)));
        return new RunResult(
                run.text("history"),
                verdict(run),
                new RunResult.Size(
                        run.number("transactions", 0),
                        run.number("operations", 0),
                        run.number("sessions", 0),
                        run.number("keys", 0)),
                new RunResult.How(
                        run.text("evidence"), run.text("engine"), run.textOrNull("run_id"), run.fraction("seconds")),
                levels,
                new RunResult.Report(
                        anomalies,
                        anomalyCount,
                        new RunResult.Faults(faultCount, run.flag("fault_count_exact")),
                        lint,
                        run.has("not")
                                ? new ElleRuledOutLevels(run.texts("not"), run.texts("also_not"), because)
                                : null));
    }

    private static LevelResult level(JsonMembers level) throws IOException {
        Map<String, Long> types = new LinkedHashMap<>();
        JsonMembers counts = level.object("types");
        counts.names().forEach(type -> types.put(type, counts.number(type, 0)));
        return new LevelResult(
                verdict(level),
                level.text("evidence"),
                level.textOrNull("reason"),
                level.number("anomalies", 0),
                types,
                level.flag("exact"),
                0);
    }

    private static ListedAnomaly anomaly(JsonMembers anomaly, JsonMembers tellings) throws IOException {
        return new ListedAnomaly(
                        anomaly.text("id"),
                        anomaly.text("type"),
                        anomaly.textOrNull("pattern"),
                        anomaly.has("level") ? level(anomaly.text("level")) : null,
                        anomaly.numbers("transactions"),
                        anomaly.textOrNull("key"),
                        anomaly.text("explanation"))
                .withTellings(new Tellings(
                        tellings.textOrNull("observed_origin"),
                        tellings.textOrNull("related_anomaly_id"),
                        tellings.texts("also")));
    }

    private static Verdict verdict(JsonMembers of) throws IOException {
        String word = of.text("verdict");
        for (Verdict verdict : Verdict.values()) {
            if (verdict.word().equals(word.toLowerCase(Locale.ROOT))) {
                return verdict;
            }
        }
        throw new IOException("not a verdict: word=" + word);
    }

    private static IsolationLevel level(String name) throws IOException {
        IsolationLevel level = IsolationLevel.byName(name);
        if (level == null) {
            throw new IOException("unknown level: name=" + name);
        }
        return level;
    }
}
