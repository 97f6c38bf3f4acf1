package io.nightjar.jobs.bench;

import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.sql.SqlSession;
import io.nightjar.jobs.sql.StoredRows;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * The details of a run from its tables: seconds of each stage, bytes spilled, durations of components and histories.
 */
final class RunDetails {

    /** The counts of a watch, and the latencies of its verdicts. */
    static final String WATCH = "watch";

    private static final long MAX_US = 24L * 3600 * 1_000_000;

    private RunDetails() {}

    private record StageSum(String stage, double seconds, long bytesSpilled) {}

    private record Span(double seconds) {}

    private record WatchSums(long flips, long late, long corrected, long verdictP99Us, long finalP99Ms) {}

    static Map<String, Object> of(Path lake) {
        Map<String, Object> details = new LinkedHashMap<>();
        try (SqlSession session = SqlSession.open(Lake.openExisting(lake))) {
            List<StageSum> stages = StoredRows.read(
                    session,
                    StageSum.class,
                    "SELECT stage, sum(seconds) AS seconds, sum(bytes_spilled) AS bytes_spilled FROM stages"
                            + " GROUP BY stage ORDER BY stage");
            Map<String, Object> secondsOf = new LinkedHashMap<>();
            stages.forEach(stage -> secondsOf.put(stage.stage(), stage.seconds()));
            details.put("stages", secondsOf);
            details.put(
                    "spilled_bytes",
                    stages.stream().mapToLong(StageSum::bytesSpilled).sum());
            put(details, "components", spans(session, "SELECT seconds FROM components"));
            put(
                    details,
                    "histories",
                    spans(session, "SELECT sum(seconds) AS seconds FROM level_verdicts GROUP BY run_id"));
            StoredRows.read(
                            session,
                            WatchSums.class,
                            "SELECT max(flips) AS flips, max(late) AS late, max(corrected) AS corrected,"
                                    + " max(verdict_p99_us) AS verdict_p99_us, max(final_p99_ms) AS final_p99_ms"
                                    + " FROM watch_intervals HAVING count(*) > 0")
                    .forEach(all -> details.put(WATCH, StoredRows.cells(all)));
        }
        return details;
    }

    private static List<Span> spans(SqlSession session, String sql) {
        return StoredRows.read(session, Span.class, sql);
    }

    private static void put(Map<String, Object> details, String name, List<Span> spans) {
        if (spans.isEmpty()) {
            return;
        }
        Histogram histogram = new Histogram(MAX_US, 3);
        for (Span span : spans) {
            histogram.recordValue(Math.min(MAX_US, Math.max(0, Math.round(span.seconds() * 1e6))));
        }
        details.put(name, summary(histogram));
    }

    /** Percentiles in microseconds, and the whole histogram as HdrHistogram's tools read it. */
    private static Map<String, Object> summary(Histogram histogram) {
        Map<String, Object> summary = new LinkedHashMap<>();
        summary.put("count", histogram.getTotalCount());
        summary.put("p50_us", histogram.getValueAtPercentile(50));
        summary.put("p90_us", histogram.getValueAtPercentile(90));
        summary.put("p99_us", histogram.getValueAtPercentile(99));
        summary.put("max_us", histogram.getMaxValue());
        ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(bytes);
        summary.put("hdr", Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length)));
        return summary;
    }
}
