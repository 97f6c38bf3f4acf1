package io.nightjar.jobs.watch;

import com.fasterxml.jackson.core.JsonGenerator;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.JsonNumbers;
import io.nightjar.jobs.watch.LiveCounts.Count;
import io.nightjar.jobs.watch.LiveCounts.Kind;
import java.io.IOException;
import java.util.Map;

/**
 * The state of a watch at a moment.
 *
 * @param watermark all commits up to here have arrived; {@code Long.MIN_VALUE} if undefined
 * @param findings final findings by level and type
 * @param heapBytes used memory of this process
 * @param diskBytes kept rows in files
 */
public record WatchStatus(
        double seconds,
        double txnsPerSecond,
        long watermark,
        LiveCounts counts,
        Map<IsolationLevel, Map<Anomaly, Long>> findings,
        long heapBytes,
        long diskBytes) {

    /** Status before the first row. */
    public static final String NOTHING_YET = "no committed transaction yet";

    public long get(Count count) {
        return counts.get(count);
    }

    /** Returns the number of final findings that rule out a requested level. */
    public long count(IsolationLevel level) {
        return findings.getOrDefault(level, Map.of()).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /** Returns a watermark as text; a dash if it is undefined. */
    public static String time(long watermark) {
        return watermark == Long.MIN_VALUE ? "-" : Long.toString(watermark);
    }

    private static void timeIfAny(JsonGenerator json, String name, long time) throws IOException {
        if (time == Long.MIN_VALUE) {
            json.writeNullField(name);
        } else {
            JsonNumbers.write(json, name, time);
        }
    }

    void writeMembers(JsonGenerator json) throws IOException {
        json.writeNumberField("seconds", Math.round(seconds * 1_000) / 1e3);
        json.writeNumberField("txns_per_second", Math.round(txnsPerSecond));
        timeIfAny(json, "watermark_ts", watermark);
        timeIfAny(json, "ahead_ts", get(Count.AHEAD_TS));
        for (Count count : LiveCounts.COUNTS) {
            if (count.kind != Kind.INTERNAL && count.kind != Kind.INTERNAL_SPAN) {
                JsonNumbers.write(json, count.word(), get(count));
            }
        }
        JsonNumbers.write(json, "heap_bytes", heapBytes);
        JsonNumbers.write(json, "disk_bytes", diskBytes);
        json.writeObjectFieldStart("levels");
        for (Map.Entry<IsolationLevel, Map<Anomaly, Long>> level : findings.entrySet()) {
            json.writeObjectFieldStart(level.getKey().longName());
            JsonNumbers.write(json, "final", count(level.getKey()));
            json.writeObjectFieldStart("types");
            for (Map.Entry<Anomaly, Long> type : level.getValue().entrySet()) {
                JsonNumbers.write(json, type.getKey().spelling(), type.getValue());
            }
            json.writeEndObject();
            json.writeEndObject();
        }
        json.writeEndObject();
    }
}
