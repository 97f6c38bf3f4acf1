package io.nightjar.jobs.bench;

import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.sql.SqlSession;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** What a run's tables say beside its verdict: seconds of each stage, bytes spilled, how long components and histories took. */
final class RunDetails {

    /** What a watch has counted, and how late its verdicts were. */
    static final String WATCH = "watch";

    private static final long LONGEST_US = 24L * 3600 * 1_000_000;

    private RunDetails() {}

    static Map<String, Object> of(Path lake) {
        Map<String, Object> details = new LinkedHashMap<>();
        try (SqlSession session = SqlSession.open(Lake.openExisting(lake))) {
            Map<String, Object> stages = new LinkedHashMap<>();
            double spilled = 0;
            for (Map<String, Object> row : session.rows("SELECT stage, sum(seconds) AS seconds, sum(bytes_spilled) AS"
                    + " spilled FROM stages GROUP BY stage ORDER BY stage")) {
                stages.put(row.get("stage").toString(), number(row.get("seconds")));
                spilled += number(row.get("spilled"));
            }
            details.put("stages", stages);
            details.put("spilled_bytes", Math.round(spilled));
            put(details, "components", session.rows("SELECT seconds FROM components"));
            put(
                    details,
                    "histories",
                    session.rows("SELECT sum(seconds) AS seconds FROM level_verdicts GROUP BY run_id"));
            for (Map<String, Object> last : session.rows("SELECT flips, late, corrected, verdict_p99_us, final_p99_ms"
                    + " FROM watch_intervals ORDER BY transactions DESC LIMIT 1")) {
                details.put(WATCH, new LinkedHashMap<>(last));
            }
        }
        return details;
    }

    private static void put(Map<String, Object> details, String name, List<Map<String, Object>> seconds) {
        if (seconds.isEmpty()) {
            return;
        }
        Histogram histogram = new Histogram(LONGEST_US, 3);
        for (Map<String, Object> row : seconds) {
            histogram.recordValue(Math.min(LONGEST_US, Math.max(0, Math.round(number(row.get("seconds")) * 1e6))));
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

    private static double number(Object cell) {
        return cell == null ? 0 : Double.parseDouble(cell.toString());
    }
}
