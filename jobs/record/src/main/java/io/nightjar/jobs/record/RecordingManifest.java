package io.nightjar.jobs.record;

import io.nightjar.jobs.JsonObjectText;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/** Manifest of the part files of a recording: its origin, its counts, and whether it is complete. */
final class RecordingManifest {

    private final String url;
    private final RecordOptions options;
    private final String certificates;
    private final String startedAt = Instant.now().toString();

    /** @param url without secrets */
    RecordingManifest(String url, RecordOptions options, String certificates) {
        this.url = url;
        this.options = options;
        this.certificates = certificates;
    }

    /**
     * Returns the manifest as one JSON object and a line end.
     *
     * @param counts the counts of the parts
     */
    byte[] of(String database, String log, RecordingCounts counts, List<String> parts, boolean isComplete) {
        String text = JsonObjectText.indented(json -> {
            json.writeNumberField("schema", 1);
            json.writeBooleanField("complete", isComplete);
            json.writeStringField("made_by", "nightjar record");
            json.writeStringField("database", database);
            json.writeStringField("url", url);
            json.writeStringField("isolation", options.isolation().word());
            json.writeStringField("workload", options.programs().workload());
            json.writeNumberField("sessions", options.clients().sessions());
            json.writeNumberField("seed", options.seed());
            json.writeStringField("certificates", certificates);
            json.writeStringField("log", log);
            json.writeStringField("started_at", startedAt);
            json.writeStringField("written_at", Instant.now().toString());
            RecordedHistory.Totals totals = counts.totals();
            json.writeNumberField("transactions", totals.transactions());
            json.writeNumberField("committed", totals.committed());
            json.writeNumberField("aborted", totals.aborted());
            json.writeNumberField("unknown", totals.unknown());
            json.writeNumberField("operations", totals.operations());
            JsonObjectText.writeTexts(json, "parts", parts);
        });
        return (text + "\n").getBytes(StandardCharsets.UTF_8);
    }
}
