package io.nightjar.jobs.watch;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.JsonNumbers;
import io.nightjar.jobs.RunResultJson;
import io.nightjar.pipeline.online.OnlineFinding.Change;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/**
 * A row of {@code verdict_changes}: what became of a finding.
 *
 * @param seq counted from 1 in a run
 * @param isWrong whether the finding stands after the change
 * @param arrivedMicros when its transaction arrived
 * @param flips how often the verdict has turned so far
 */
public record VerdictChange(
        String runId,
        String historyId,
        long seq,
        String anomalyId,
        Change change,
        Anomaly anomaly,
        IsolationLevel level,
        long txnId,
        String key,
        String expected,
        String observed,
        long arrivedMicros,
        long changedMicros,
        long flips,
        boolean isWrong) {

    private static final JsonFactory FACTORY = new JsonFactory();

    /** The row as a JSON object on one line. */
    public String json() {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            json.writeStartObject();
            json.writeNumberField("schema", RunResultJson.SCHEMA);
            json.writeStringField("run_id", runId);
            json.writeStringField("history_id", historyId);
            json.writeNumberField("change_seq", seq);
            json.writeStringField("anomaly_id", anomalyId);
            json.writeStringField("change", change.word());
            json.writeStringField("anomaly_type", anomaly.spelling());
            json.writeStringField("level", level.longName());
            json.writeFieldName("txn_id");
            JsonNumbers.write(json, txnId);
            json.writeStringField("object_key", key);
            json.writeStringField("expected_value", expected);
            json.writeStringField("observed_value", observed);
            json.writeStringField(
                    "arrived_at", WatchClock.instant(arrivedMicros).toString());
            json.writeStringField(
                    "changed_at", WatchClock.instant(changedMicros).toString());
            json.writeNumberField("flips", flips);
            json.writeBooleanField("stands", isWrong);
            json.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return text.toString();
    }
}
