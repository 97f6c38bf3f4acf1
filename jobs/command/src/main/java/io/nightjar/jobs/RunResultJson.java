package io.nightjar.jobs;

import com.fasterxml.jackson.core.JsonGenerator;
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

    private static String write(RunResult result, boolean isWhole) {
        return JsonObjectText.of(json -> writeMembers(result, json, isWhole));
    }

    /**
     * Writes the object that replaces a missing result.
     *
     * @param verdict {@code rejected} if the input is not a history, else {@code failed}
     * @param location location of the error; null if it has none
     */
    public static String notChecked(String history, String verdict, String error, @Nullable InputLocation location) {
        return JsonObjectText.of(json -> {
            json.writeNumberField("schema", SCHEMA);
            json.writeStringField("history", history);
            json.writeStringField("verdict", verdict);
            json.writeStringField("error", error);
            if (location != null) {
                json.writeStringField("file", location.file());
                if (location.row() > 0) {
                    json.writeNumberField("row", location.row());
                }
                if (location.column() != null) {
                    json.writeStringField("column", location.column());
                }
            }
        });
    }

    /** Writes the object as a part of another one. */
    public static void write(RunResult result, JsonGenerator json) throws IOException {
        json.writeStartObject();
        writeMembers(result, json, true);
        json.writeEndObject();
    }

    private static void writeMembers(RunResult result, JsonGenerator json, boolean isWhole) throws IOException {
        json.writeNumberField("schema", SCHEMA);
        json.writeStringField("history", result.history());
        json.writeStringField("verdict", result.verdict().word());
        JsonNumbers.write(json, "transactions", result.transactions());
        JsonNumbers.write(json, "operations", result.operations());
        JsonNumbers.write(json, "sessions", result.sessions());
        JsonNumbers.write(json, "keys", result.keys());
        json.writeStringField("evidence", result.evidence());
        json.writeStringField("engine", result.engine());
        json.writeStringField("run_id", result.runId());
        JsonNumbers.writeSeconds(json, "seconds", result.seconds());
        json.writeObjectFieldStart("levels");
        for (Map.Entry<IsolationLevel, LevelResult> level : result.levels().entrySet()) {
            json.writeFieldName(level.getKey().longName());
            writeLevel(json, level.getValue());
        }
        json.writeEndObject();
        if (result.ruledOut() != null) {
            writeRuledOut(json, result.ruledOut());
        }
        json.writeArrayFieldStart("anomalies");
        for (ListedAnomaly anomaly : result.anomalies()) {
            writeAnomaly(json, anomaly);
        }
        json.writeEndArray();
        if (isWhole) {
            JsonNumbers.write(json, "anomaly_count", result.report().anomalyCount());
            JsonNumbers.write(json, "fault_count", result.report().faults().count());
            json.writeBooleanField("fault_count_exact", result.report().faults().isExact());
            writeTellings(json, result.anomalies());
        }
        json.writeArrayFieldStart("lint");
        for (Lint lint : result.lint()) {
            json.writeStartObject();
            json.writeStringField("rule_id", lint.ruleId());
            json.writeStringField("severity", lint.severity());
            JsonNumbers.write(json, "count", lint.count());
            json.writeStringField("message", lint.message());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** Writes the forms of faults of reads, and of faults with several forms. */
    private static void writeTellings(JsonGenerator json, List<ListedAnomaly> anomalies) throws IOException {
        if (anomalies.stream().allMatch(anomaly -> anomaly.tellings().equals(Tellings.ALONE))) {
            return;
        }
        json.writeObjectFieldStart("tellings");
        for (ListedAnomaly anomaly : anomalies) {
            if (!anomaly.tellings().equals(Tellings.ALONE)) {
                json.writeObjectFieldStart(anomaly.id());
                json.writeStringField("observed_origin", anomaly.tellings().origin());
                json.writeStringField("related_anomaly_id", anomaly.tellings().relatedTo());
                JsonObjectText.writeTexts(json, "also", anomaly.tellings().also());
                json.writeEndObject();
            }
        }
        json.writeEndObject();
    }

    private static void writeLevel(JsonGenerator json, LevelResult level) throws IOException {
        json.writeStartObject();
        json.writeStringField("verdict", level.verdict().word());
        json.writeStringField("evidence", level.evidence());
        if (level.reason() != null) {
            json.writeStringField("reason", level.reason());
        }
        JsonNumbers.write(json, "anomalies", level.anomalies());
        json.writeObjectFieldStart("types");
        for (Map.Entry<String, Long> type : level.types().entrySet()) {
            JsonNumbers.write(json, type.getKey(), type.getValue());
        }
        json.writeEndObject();
        if (level.verdict() == Verdict.VIOLATED) {
            json.writeBooleanField("exact", level.isExact());
        }
        json.writeEndObject();
    }

    private static void writeRuledOut(JsonGenerator json, ElleRuledOutLevels ruledOut) throws IOException {
        JsonObjectText.writeTexts(json, "not", ruledOut.not());
        JsonObjectText.writeTexts(json, "also_not", ruledOut.alsoNot());
        json.writeObjectFieldStart("not_because");
        for (Map.Entry<String, List<String>> level : ruledOut.because().entrySet()) {
            JsonObjectText.writeTexts(json, level.getKey(), level.getValue());
        }
        json.writeEndObject();
    }

    private static void writeAnomaly(JsonGenerator json, ListedAnomaly anomaly) throws IOException {
        json.writeStartObject();
        json.writeStringField("id", anomaly.id());
        json.writeStringField("type", anomaly.type());
        json.writeStringField("pattern", anomaly.pattern());
        json.writeStringField(
                "level", anomaly.level() == null ? null : anomaly.level().longName());
        json.writeArrayFieldStart("transactions");
        for (Long txnId : anomaly.transactions()) {
            JsonNumbers.write(json, txnId);
        }
        json.writeEndArray();
        json.writeStringField("key", anomaly.key());
        json.writeStringField("explanation", anomaly.explanation());
        json.writeEndObject();
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
