package io.nightjar.jobs.watch;

import io.nightjar.jobs.JsonObjectText;
import io.nightjar.jobs.RunResultJson;
import io.nightjar.jobs.lake.LakeRow;
import io.nightjar.jobs.lake.RunWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writer of the tables that a lake has of a running watch. */
final class LiveTables {

    private static final long NOTHING = Long.MIN_VALUE;

    private final @Nullable RunWriter writer; // null if no tables are wanted
    private long intervalSeq;

    LiveTables(@Nullable RunWriter writer) {
        this.writer = writer;
    }

    void add(VerdictChange change) {
        if (writer != null) {
            writer.add(change.row(writer.ids()));
        }
    }

    /** Ends an interval and publishes all rows so far. */
    void publish(WatchStatus status) {
        if (writer == null) {
            return;
        }
        intervalSeq++;
        writer.add(new LakeRow.WatchInterval(
                writer.ids(),
                intervalSeq,
                WatchClock.instant(WatchClock.micros()),
                status.arrived().transactions(),
                status.arrived().operations(),
                status.progress().watermark() == NOTHING
                        ? null
                        : (Long) status.progress().watermark(),
                new LakeRow.WatchInterval.Counts(
                        status.arrived().transactions() - status.arrived().open(),
                        status.arrived().open(),
                        status.arrived().late(),
                        status.arrived().corrected(),
                        status.judged().flips(),
                        status.judged().provisional(),
                        status.judged().finalCount()),
                new LakeRow.WatchInterval.Times(
                        status.progress().lagMillis(),
                        status.times().verdictP50Micros(),
                        status.times().verdictP99Micros(),
                        status.times().finalP99Millis()),
                status.storage().heapBytes(),
                ProcessMemory.rssBytes(),
                status.storage().diskBytes()));
        writer.publishLive(parts -> json(writer, status, parts));
    }

    private static String json(RunWriter writer, WatchStatus status, List<String> parts) {
        return JsonObjectText.of(json -> {
                    json.writeNumberField("schema", RunResultJson.SCHEMA);
                    json.writeStringField("run_id", writer.runId());
                    json.writeStringField("history_id", writer.historyId());
                    json.writeStringField(
                            "updated_at",
                            WatchClock.instant(WatchClock.micros()).toString());
                    status.writeMembers(json);
                    JsonObjectText.writeTexts(json, "parts", parts);
                })
                + "\n";
    }
}
