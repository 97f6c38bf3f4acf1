package io.nightjar.jobs.bench;

import io.nightjar.jobs.sql.OutputMode;
import io.nightjar.jobs.sql.ResultSink;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Results as comma-separated values, a row for each run, for other programs. */
public final class BenchTable {

    /** Members of a result, in order; the settings are JSON. Details are in {@code results.jsonl} only. */
    private static final List<String> COLUMNS =
            List.of(("plan point x panel series checker round status verdict wall_s cpu_s peak_rss_bytes "
                            + "exit_code load_before load_after commit message settings")
                    .split(" "));

    private BenchTable() {}

    /** Returns all runs, warm-ups included (round 0); an unknown number is an empty field. */
    public static String csv(List<BenchResult> runs) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8)) {
            ResultSink csv = OutputMode.CSV.sink(out, Integer.MAX_VALUE);
            csv.begin(COLUMNS);
            for (BenchResult run : runs) {
                Map<String, Object> members = run.members();
                List<Object> row = new ArrayList<>();
                for (String column : COLUMNS) {
                    Object cell = members.get(column);
                    row.add(cell instanceof Double number && number.isNaN() ? null : cell);
                }
                csv.row(row);
            }
            csv.end();
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
