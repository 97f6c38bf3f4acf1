package io.nightjar.jobs.watch;

import com.fasterxml.jackson.core.JsonGenerator;
import io.nightjar.formats.finding.AnomalyTitle;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.JsonNumbers;
import io.nightjar.jobs.JsonObjectText;
import io.nightjar.jobs.RunResultJson;
import io.nightjar.pipeline.online.OnlineFinding;
import io.nightjar.pipeline.online.OnlineFinding.Change;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code verdict_changes}: a change of a finding.
 *
 * @param runId null without tables
 * @param seq counted from 1 in a run
 * @param isWrong whether the finding remains after the change
 */
public record VerdictChange(
        @Nullable String runId,
        String historyId,
        long seq,
        Change change,
        OnlineFinding finding,
        boolean isWrong,
        long changedMicros) {

    public Anomaly anomaly() {
        return finding.anomaly();
    }

    /** Returns the name for people; the cause of a wrong value is determined after the watch. */
    public String title() {
        return AnomalyTitle.of(anomaly().spelling(), null, null);
    }

    public IsolationLevel level() {
        return finding.level();
    }

    public long txnId() {
        return finding.subject().txnId();
    }

    public @Nullable String key() {
        return finding.key();
    }

    public @Nullable String expected() {
        return finding.reading().expected();
    }

    public @Nullable String observed() {
        return finding.reading().observed();
    }

    /** Returns the row as a JSON object on one line. */
    public String json() {
        return JsonObjectText.of(json -> {
            writeMembers(json);
        });
    }

    /** Writes the columns of the row as members of an object. */
    void writeMembers(JsonGenerator json) throws IOException {
        json.writeNumberField("schema", RunResultJson.SCHEMA);
        json.writeStringField("run_id", runId);
        json.writeStringField("history_id", historyId);
        json.writeNumberField("change_seq", seq);
        json.writeStringField("anomaly_id", finding.anomalyId());
        json.writeStringField("change", change.word());
        json.writeStringField("anomaly_type", anomaly().spelling());
        json.writeStringField("level", level().longName());
        JsonNumbers.write(json, "txn_id", txnId());
        json.writeStringField("object_key", key());
        json.writeStringField("expected_value", expected());
        json.writeStringField("observed_value", observed());
        json.writeStringField(
                "arrived_at", WatchClock.instant(finding.arrived()).toString());
        json.writeStringField("changed_at", WatchClock.instant(changedMicros).toString());
        json.writeNumberField("flips", finding.flips());
        json.writeBooleanField("stands", isWrong);
    }
}
