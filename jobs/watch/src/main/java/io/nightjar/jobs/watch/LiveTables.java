package io.nightjar.jobs.watch;

import io.nightjar.jobs.JsonObjectText;
import io.nightjar.jobs.RunResultJson;
import io.nightjar.jobs.lake.LakeRow;
import io.nightjar.jobs.lake.RunWriter;
import io.nightjar.jobs.watch.LiveCounts.Count;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writer of the tables that a lake has of a running watch. */
final class LiveTables {

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
                status.get(Count.TRANSACTIONS),
                status.get(Count.OPERATIONS),
                status.watermark() == Watermark.NOTHING ? null : (Long) status.watermark(),
                new LakeRow.WatchInterval.Counts(
                        status.get(Count.TRANSACTIONS) - status.get(Count.OPEN),
                        status.get(Count.OPEN),
                        status.get(Count.LATE),
                        status.get(Count.CORRECTED),
                        status.get(Count.FLIPS),
                        status.get(Count.PROVISIONAL),
                        status.findings().keySet().stream()
                                .mapToLong(status::count)
                                .sum()),
                new LakeRow.WatchInterval.Times(
                        status.get(Count.LAG_MS),
                        status.get(Count.VERDICT_P50_US),
                        status.get(Count.VERDICT_P99_US),
                        status.get(Count.FINAL_P99_MS)),
                status.heapBytes(),
                ProcessMemory.rssBytes(),
                status.diskBytes()));
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
