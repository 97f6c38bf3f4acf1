package io.nightjar.jobs.ci;

import io.nightjar.jobs.JsonNumbers;
import io.nightjar.jobs.JsonObject;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResultJson;
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
        if (histories.size() == 1) {
            return object(histories.get(0), budgetSeconds).indented() + "\n";
        }
        Map<String, Long> types = new LinkedHashMap<>();
        histories.forEach(history -> history.types().forEach((type, count) -> types.merge(type, count, Long::sum)));
        return new JsonObject()
                        .put("schema", SCHEMA)
                        .put("verdict", verdict)
                        .put("exit_code", code)
                        .put("types", types)
                        .putEach("histories", histories, history -> object(history, budgetSeconds))
                        .indented()
                + "\n";
    }

    private static JsonObject object(CiHistory history, double budgetSeconds) {
        JsonObject object = new JsonObject()
                .put("schema", SCHEMA)
                .put("history", history.history())
                .put("verdict", history.verdict())
                .put("exit_code", history.code());
        RunResult result = history.result();
        if (result == null) {
            return object.put("error", history.whyFailed().message());
        }
        object.put("run_id", result.runId())
                .put("engine", result.engine())
                .put("evidence", result.evidence())
                .put("transactions", result.transactions())
                .put("operations", result.operations())
                .put("sessions", result.sessions())
                .put("keys", result.keys())
                .put("seconds", JsonNumbers.seconds(result.seconds()))
                .put("budget_seconds", JsonNumbers.seconds(budgetSeconds))
                .put("anomalies", history.faults().count())
                .put("exact", history.faults().isExact());
        if (history.baseline() != null) {
            object.put("baseline", history.baseline())
                    .put("new_anomalies", history.newCount())
                    .put("new_anomalies_uncertain", history.newDoubt());
        }
        return object.put("types", history.types())
                .put("levels", RunResultJson.levels(result))
                .putEach("lint", result.lint(), RunResultJson::object);
    }
}
