package io.nightjar.jobs.bench;

import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.sql.ResultSink;
import io.nightjar.jobs.sql.SqlSession;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** What a run's tables say beside its verdict: seconds of each stage, bytes spilled, how long components and histories took. */
final class RunDetails {

    private static final long LONGEST_US = 24L * 3600 * 1_000_000;

    private RunDetails() {}

    static Map<String, Object> of(Path lake) {
        Map<String, Object> details = new LinkedHashMap<>();
        try (SqlSession session = SqlSession.open(Lake.openExisting(lake))) {
            Map<String, Object> stages = new LinkedHashMap<>();
            double spilled = 0;
            for (List<Object> row : rows(
                    session,
                    "SELECT stage, sum(seconds), sum(bytes_spilled) FROM stages GROUP BY stage ORDER BY stage")) {
                stages.put(row.get(0).toString(), number(row.get(1)));
                spilled += number(row.get(2));
            }
            details.put("stages", stages);
            details.put("spilled_bytes", Math.round(spilled));
            put(details, "components", rows(session, "SELECT seconds FROM components"));
            put(details, "histories", rows(session, "SELECT sum(seconds) FROM level_verdicts GROUP BY run_id"));
        }
        return details;
    }

    private static List<List<Object>> rows(SqlSession session, String query) {
        List<List<Object>> rows = new ArrayList<>();
        session.run(query, new ResultSink() {
            @Override
            public void begin(List<String> columns) {}

            @Override
            public void row(List<Object> cells) {
                rows.add(new ArrayList<>(cells));
            }

            @Override
            public void end() {}
        });
        return rows;
    }

    private static void put(Map<String, Object> details, String name, List<List<Object>> seconds) {
        if (seconds.isEmpty()) {
            return;
        }
        Histogram histogram = new Histogram(LONGEST_US, 3);
        for (List<Object> row : seconds) {
            histogram.recordValue(Math.min(LONGEST_US, Math.max(0, Math.round(number(row.get(0)) * 1e6))));
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
