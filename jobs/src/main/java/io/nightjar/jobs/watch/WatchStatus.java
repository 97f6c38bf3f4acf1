package io.nightjar.jobs.watch;

import com.fasterxml.jackson.core.JsonGenerator;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import java.io.IOException;
import java.util.Map;

/**
 * Where a watch stands.
 *
 * @param watermark all commits up to here have arrived; {@code Long.MIN_VALUE} before there is one
 * @param lagMillis how long the first of what is not final has been there
 * @param open transactions with rows that are not sealed
 * @param provisional reads that are wrong by what is known so far
 * @param repeated transactions that were delivered again and dropped
 * @param tooLate transactions so late that they were set aside
 * @param findings final findings by level and type
 * @param heldBack why less is final than could be
 */
public record WatchStatus(
        double seconds,
        long transactions,
        long operations,
        double txnsPerSecond,
        long watermark,
        long lagMillis,
        long open,
        long provisional,
        long flips,
        long late,
        long corrected,
        long repeated,
        long tooLate,
        long deadLetters,
        long memoryBytes,
        long keptBytes,
        WatchTimes.Percentiles times,
        Map<IsolationLevel, Map<Anomaly, Long>> findings,
        HeldBack heldBack) {

    /** A watermark as text; a dash before there is one. */
    static String time(long watermark) {
        return watermark == Long.MIN_VALUE ? "-" : Long.toString(watermark);
    }

    /** Final findings that rule out a level. */
    public long count(IsolationLevel level) {
        return findings.get(level).values().stream().mapToLong(Long::longValue).sum();
    }

    long finalCount() {
        return findings.keySet().stream().mapToLong(this::count).sum();
    }

    void writeMembers(JsonGenerator json) throws IOException {
        json.writeNumberField("seconds", Math.round(seconds * 1_000) / 1e3);
        LiveTables.number(json, "transactions", transactions);
        LiveTables.number(json, "operations", operations);
        json.writeNumberField("txns_per_second", Math.round(txnsPerSecond));
        if (watermark == Long.MIN_VALUE) {
            json.writeNullField("watermark_ts");
        } else {
            LiveTables.number(json, "watermark_ts", watermark);
        }
        LiveTables.number(json, "lag_ms", lagMillis);
        LiveTables.number(json, "open", open);
        LiveTables.number(json, "provisional", provisional);
        LiveTables.number(json, "flips", flips);
        LiveTables.number(json, "late", late);
        LiveTables.number(json, "corrected", corrected);
        LiveTables.number(json, "repeated", repeated);
        LiveTables.number(json, "too_late", tooLate);
        LiveTables.number(json, "dead_letters", deadLetters);
        LiveTables.number(json, "heap_bytes", memoryBytes);
        LiveTables.number(json, "disk_bytes", keptBytes);
        LiveTables.number(json, "verdict_p50_us", times.verdictP50Micros());
        LiveTables.number(json, "verdict_p99_us", times.verdictP99Micros());
        LiveTables.number(json, "final_p50_ms", times.finalP50Millis());
        LiveTables.number(json, "final_p99_ms", times.finalP99Millis());
        LiveTables.number(json, "set_right_p50_ms", times.setRightP50Millis());
        LiveTables.number(json, "set_right_p99_ms", times.setRightP99Millis());
        json.writeStringField("silent", heldBack.silent());
        json.writeBooleanField("jump_ahead", heldBack.isAhead());
        if (heldBack.isAhead()) {
            LiveTables.number(json, "ahead_ts", heldBack.aheadTs());
        } else {
            json.writeNullField("ahead_ts");
        }
        json.writeObjectFieldStart("levels");
        for (Map.Entry<IsolationLevel, Map<Anomaly, Long>> level : findings.entrySet()) {
            json.writeObjectFieldStart(level.getKey().longName());
            LiveTables.number(json, "final", count(level.getKey()));
            json.writeObjectFieldStart("types");
            for (Map.Entry<Anomaly, Long> type : level.getValue().entrySet()) {
                LiveTables.number(json, type.getKey().spelling(), type.getValue());
            }
            json.writeEndObject();
            json.writeEndObject();
        }
        json.writeEndObject();
    }
}
