package io.nightjar.jobs.lake;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResultJson;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** The file {@code run.json}: all data needed to return the verdict of the first call on a second one. */
final class RunJson {

    private static final JsonFactory FACTORY = new JsonFactory();

    private RunJson() {}

    static String write(StoredRun run) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            RunFacts facts = run.facts();
            json.useDefaultPrettyPrinter();
            json.writeStartObject();
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
            json.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return text + "\n";
    }

    static StoredRun read(String text) throws IOException {
        String runId = null;
        String historyId = null;
        long schemaVersion = 0;
        String historyUri = null;
        String batchId = null;
        Instant startedAt = null;
        Instant finishedAt = null;
        String checkerVersion = null;
        String inputFingerprint = null;
        String options = null;
        RunResult result = null;
        try (JsonParser json = FACTORY.createParser(text)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("not a JSON object");
            }
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                json.nextToken();
                switch (name) {
                    case "schema_version" -> schemaVersion = json.getLongValue();
                    case "run_id" -> runId = json.getText();
                    case "history_id" -> historyId = json.getText();
                    case "history_uri" -> historyUri = json.getText();
                    case "batch_id" -> batchId = json.getText();
                    case "started_at" -> startedAt = Instant.parse(json.getText());
                    case "finished_at" -> finishedAt = Instant.parse(json.getText());
                    case "checker_version" -> checkerVersion = json.getText();
                    case "input_fingerprint" -> inputFingerprint = json.getText();
                    case "options" -> options = copy(json);
                    case "result" -> result = RunResultJson.read(json);
                    default -> json.skipChildren();
                }
            }
        }
        RunFacts facts = new RunFacts(
                needed(historyUri, "history_uri"),
                batchId == null ? needed(runId, "run_id") : batchId,
                needed(startedAt, "started_at"),
                needed(finishedAt, "finished_at"),
                needed(checkerVersion, "checker_version"),
                needed(options, "options"),
                needed(inputFingerprint, "input_fingerprint"));
        return new StoredRun(
                needed(runId, "run_id"),
                needed(historyId, "history_id"),
                schemaVersion,
                facts,
                needed(result, "result"));
    }

    private static <T> T needed(@Nullable T value, String name) throws IOException {
        if (value == null) {
            throw new IOException("key missing: needed=" + name);
        }
        return value;
    }

    /** Returns the JSON without spaces, so that two texts of one object are equal. */
    static String compact(String jsonText) {
        try (JsonParser json = FACTORY.createParser(jsonText)) {
            json.nextToken();
            return copy(json);
        } catch (IOException e) {
            throw new IllegalArgumentException("not JSON: text=" + jsonText, e);
        }
    }

    private static String copy(JsonParser from) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator to = FACTORY.createGenerator(text)) {
            to.copyCurrentStructure(from);
        }
        return text.toString();
    }

    /** Returns the time as in the tables, to the microsecond. */
    private static String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MICROS).toString();
    }
}
