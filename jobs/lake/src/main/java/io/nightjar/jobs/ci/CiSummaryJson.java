package io.nightjar.jobs.ci;

import com.fasterxml.jackson.core.JsonGenerator;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.JsonNumbers;
import io.nightjar.jobs.JsonObjectText;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResult.LevelResult;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The file {@code summary.json}: verdicts and counts for scripts, without the anomalies themselves. */
public final class CiSummaryJson {

    /** The version of the object's shape, in its key {@code schema}. */
    public static final int SCHEMA = 1;

    private CiSummaryJson() {}

    /**
     * Writes one history as an object, several as an object with an array {@code histories}.
     *
     * @param code the exit code of all
     * @param verdict the word for that
     * @param budgetSeconds the time limit of searches for each history
     */
    public static String write(List<CiHistory> histories, int code, String verdict, double budgetSeconds) {
        return JsonObjectText.indented(json -> {
                    if (histories.size() == 1) {
                        writeMembers(histories.get(0), json, budgetSeconds);
                        return;
                    }
                    json.writeNumberField("schema", SCHEMA);
                    json.writeStringField("verdict", verdict);
                    json.writeNumberField("exit_code", code);
                    Map<String, Long> types = new LinkedHashMap<>();
                    histories.forEach(
                            history -> history.types().forEach((type, count) -> types.merge(type, count, Long::sum)));
                    writeTypes(json, types);
                    json.writeArrayFieldStart("histories");
                    for (CiHistory history : histories) {
                        json.writeStartObject();
                        writeMembers(history, json, budgetSeconds);
                        json.writeEndObject();
                    }
                    json.writeEndArray();
                })
                + "\n";
    }

    private static void writeMembers(CiHistory history, JsonGenerator json, double budgetSeconds) throws IOException {
        json.writeNumberField("schema", SCHEMA);
        json.writeStringField("history", history.history());
        json.writeStringField("verdict", history.verdict());
        json.writeNumberField("exit_code", history.code());
        RunResult result = history.result();
        if (result == null) {
            json.writeStringField("error", history.whyFailed().message());
            return;
        }
        json.writeStringField("run_id", result.runId());
        json.writeStringField("engine", result.engine());
        json.writeStringField("evidence", result.evidence());
        JsonNumbers.write(json, "transactions", result.transactions());
        JsonNumbers.write(json, "operations", result.operations());
        JsonNumbers.write(json, "sessions", result.sessions());
        JsonNumbers.write(json, "keys", result.keys());
        JsonNumbers.writeSeconds(json, "seconds", result.seconds());
        JsonNumbers.writeSeconds(json, "budget_seconds", budgetSeconds);
        JsonNumbers.write(json, "anomalies", history.faults().count());
        json.writeBooleanField("exact", history.faults().isExact());
        if (history.baseline() != null) {
            json.writeStringField("baseline", history.baseline());
            JsonNumbers.write(json, "new_anomalies", history.newCount());
            json.writeStringField("new_anomalies_uncertain", history.newDoubt());
        }
        writeTypes(json, history.types());
        json.writeObjectFieldStart("levels");
        for (Map.Entry<IsolationLevel, LevelResult> level : result.levels().entrySet()) {
            LevelResult answer = level.getValue();
            json.writeObjectFieldStart(level.getKey().longName());
            json.writeStringField("verdict", answer.verdict().word());
            json.writeStringField("evidence", answer.evidence());
            if (answer.reason() != null) {
                json.writeStringField("reason", answer.reason());
            }
            JsonNumbers.write(json, "anomalies", answer.anomalies());
            writeTypes(json, answer.types());
            if (answer.verdict() == Verdict.VIOLATED) {
                json.writeBooleanField("exact", answer.isExact());
            }
            json.writeEndObject();
        }
        json.writeEndObject();
        json.writeArrayFieldStart("lint");
        for (RunResult.Lint lint : result.lint()) {
            json.writeStartObject();
            json.writeStringField("rule_id", lint.ruleId());
            json.writeStringField("severity", lint.severity());
            JsonNumbers.write(json, "count", lint.count());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void writeTypes(JsonGenerator json, Map<String, Long> types) throws IOException {
        json.writeObjectFieldStart("types");
        for (Map.Entry<String, Long> type : types.entrySet()) {
            JsonNumbers.write(json, type.getKey(), type.getValue());
        }
        json.writeEndObject();
    }
}
