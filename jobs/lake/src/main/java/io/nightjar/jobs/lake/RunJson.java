package io.nightjar.jobs.lake;

import io.nightjar.jobs.JsonMembers;
import io.nightjar.jobs.JsonObjectText;
import io.nightjar.jobs.RunResultJson;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The file {@code run.json}: all data needed to return the verdict of the first call on a second one. */
final class RunJson {

    private RunJson() {}

    static String write(StoredRun run) {
        RunFacts facts = run.facts();
        return JsonObjectText.indented(json -> {
                    json.writeNumberField("schema_version", run.schemaVersion());
                    json.writeStringField("run_id", run.runId());
                    json.writeStringField("history_id", run.historyId());
                    json.writeStringField("history_uri", facts.historyUri());
                    json.writeStringField("batch_id", facts.batchId());
                    json.writeStringField("started_at", time(facts.startedAt()));
                    json.writeStringField("finished_at", time(facts.finishedAt()));
                    json.writeStringField("checker_version", facts.checkerVersion());
                    json.writeStringField("input_fingerprint", facts.inputFingerprint());
                    json.writeFieldName("options");
                    json.writeRawValue(compact(facts.optionsJson()));
                    json.writeFieldName("result");
                    json.writeRawValue(RunResultJson.writeWhole(run.result()));
                })
                + "\n";
    }

    static StoredRun read(String text) throws IOException {
        JsonMembers run = JsonMembers.parse(text);
        RunFacts facts = new RunFacts(
                run.text("history_uri"),
                run.has("batch_id") ? run.text("batch_id") : run.text("run_id"),
                Instant.parse(run.text("started_at")),
                Instant.parse(run.text("finished_at")),
                run.text("checker_version"),
                options(run),
                run.text("input_fingerprint"));
        return new StoredRun(
                run.text("run_id"),
                run.text("history_id"),
                run.number("schema_version", 0),
                facts,
                RunResultJson.read(run.object("result")));
    }

    private static String options(JsonMembers run) throws IOException {
        if (!run.has("options")) {
            throw new IOException("key missing: needed=options");
        }
        return run.object("options").json();
    }

    /** Returns the JSON without spaces, so that two texts of one object are equal. */
    static String compact(String jsonText) {
        try {
            return JsonMembers.parse(jsonText).json();
        } catch (IOException e) {
            throw new IllegalArgumentException("not JSON: text=" + jsonText, e);
        }
    }

    /** Returns the time as in the tables, to the microsecond. */
    private static String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MICROS).toString();
    }
}
