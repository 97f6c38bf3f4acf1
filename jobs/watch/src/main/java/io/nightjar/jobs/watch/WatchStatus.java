package io.nightjar.jobs.watch;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonGenerator;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.JsonNumbers;
import java.io.IOException;
import java.util.Map;

/**
 * The state of a watch at a moment: counts, rates, watermark, memory.
 *
 * @param times latency of verdicts
 * @param heldBack why less is final than has arrived
 */
public record WatchStatus(
        double seconds,
        Progress progress,
        Arrived arrived,
        Judged judged,
        Storage storage,
        LatencyStatistics.Percentiles times,
        WatermarkBlockers heldBack) {

    /** Status before the first row. */
    public static final String NOTHING_YET = "no committed transaction yet";

    /**
     * Progress of a watch.
     *
     * @param watermark all commits up to here have arrived; {@code Long.MIN_VALUE} if undefined
     * @param lagMillis age of the oldest transaction without a final verdict
     */
    public record Progress(double txnsPerSecond, long watermark, long lagMillis) {}

    /**
     * Counts of arrivals.
     *
     * @param open transactions with rows that are not sealed
     * @param repeated transactions that were delivered again and dropped
     * @param tooLate transactions rejected as too late
     */
    public record Arrived(
            long transactions,
            long operations,
            long open,
            long late,
            long corrected,
            long repeated,
            long tooLate,
            long deadLetters) {}

    /**
     * Counts of findings.
     *
     * @param provisional reads that are wrong according to the rows so far
     * @param findings final findings by level and type
     */
    public record Judged(long provisional, long flips, Map<IsolationLevel, Map<Anomaly, Long>> findings) {

        /** Returns the number of final findings that rule out a requested level. */
        public long count(IsolationLevel level) {
            return requireNonNull(findings.get(level)).values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
        }

        long finalCount() {
            return findings.keySet().stream().mapToLong(this::count).sum();
        }
    }

    /**
     * Memory and disk usage.
     *
     * @param heapBytes in memory
     * @param diskBytes in files
     */
    public record Storage(long heapBytes, long diskBytes) {

        /** Returns the usage of this process. */
        static Storage of(long diskBytes) {
            Runtime runtime = Runtime.getRuntime();
            return new Storage(runtime.totalMemory() - runtime.freeMemory(), diskBytes);
        }
    }

    /** Returns a watermark as text; a dash if it is undefined. */
    static String time(long watermark) {
        return watermark == Long.MIN_VALUE ? "-" : Long.toString(watermark);
    }

    private static void numberIfKnown(JsonGenerator json, String name, long number) throws IOException {
        if (number == LatencyStatistics.UNKNOWN) {
            json.writeNullField(name);
        } else {
            JsonNumbers.write(json, name, number);
        }
    }

    void writeMembers(JsonGenerator json) throws IOException {
        json.writeNumberField("seconds", Math.round(seconds * 1_000) / 1e3);
        JsonNumbers.write(json, "transactions", arrived.transactions());
        JsonNumbers.write(json, "operations", arrived.operations());
        json.writeNumberField("txns_per_second", Math.round(progress.txnsPerSecond()));
        if (progress.watermark() == Long.MIN_VALUE) {
            json.writeNullField("watermark_ts");
        } else {
            JsonNumbers.write(json, "watermark_ts", progress.watermark());
        }
        JsonNumbers.write(json, "lag_ms", progress.lagMillis());
        JsonNumbers.write(json, "open", arrived.open());
        JsonNumbers.write(json, "provisional", judged.provisional());
        JsonNumbers.write(json, "flips", judged.flips());
        JsonNumbers.write(json, "late", arrived.late());
        JsonNumbers.write(json, "corrected", arrived.corrected());
        JsonNumbers.write(json, "repeated", arrived.repeated());
        JsonNumbers.write(json, "too_late", arrived.tooLate());
        JsonNumbers.write(json, "dead_letters", arrived.deadLetters());
        JsonNumbers.write(json, "heap_bytes", storage.heapBytes());
        JsonNumbers.write(json, "disk_bytes", storage.diskBytes());
        JsonNumbers.write(json, "verdict_p50_us", times.verdictP50Micros());
        JsonNumbers.write(json, "verdict_p99_us", times.verdictP99Micros());
        JsonNumbers.write(json, "final_p50_ms", times.finalP50Millis());
        JsonNumbers.write(json, "final_p99_ms", times.finalP99Millis());
        JsonNumbers.write(json, "set_right_p50_ms", times.setRightP50Millis());
        JsonNumbers.write(json, "set_right_p99_ms", times.setRightP99Millis());
        numberIfKnown(json, "late_p50_ms", times.lateP50Millis());
        numberIfKnown(json, "late_p99_ms", times.lateP99Millis());
        json.writeStringField("silent", heldBack.silent());
        json.writeBooleanField("jump_ahead", heldBack.isAhead());
        if (heldBack.isAhead()) {
            JsonNumbers.write(json, "ahead_ts", heldBack.aheadTs());
        } else {
            json.writeNullField("ahead_ts");
        }
        json.writeObjectFieldStart("levels");
        for (Map.Entry<IsolationLevel, Map<Anomaly, Long>> level :
                judged.findings().entrySet()) {
            json.writeObjectFieldStart(level.getKey().longName());
            JsonNumbers.write(json, "final", judged.count(level.getKey()));
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
