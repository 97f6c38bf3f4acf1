package io.nightjar.jobs.lake;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LakeTableTest {

    /** The lists of the contract, copied. */
    private static final Map<String, String> CONTRACT = Map.ofEntries(
            Map.entry(
                    "runs",
                    "run_id, history_id, history_uri, verdict, started_at, finished_at, engine, evidence, transaction_count, "
                            + "operation_count, session_count, key_count, checker_version, schema_version, options_json, "
                            + "input_fingerprint, batch_id"),
            Map.entry(
                    "level_verdicts",
                    "run_id, history_id, level, verdict, evidence, reason, anomaly_count, seconds, is_exact"),
            Map.entry(
                    "anomalies",
                    "anomaly_id, run_id, history_id, anomaly_type, pattern, level_violated, algorithm, object_key, txn_count, "
                            + "session_count, min_commit_ts, max_commit_ts, expected_value, expected_writer_txn_id, "
                            + "observed_value, observed_writer_txn_id, observed_origin, slack, is_depending_on_unknown, "
                            + "fingerprint, explanation, related_anomaly_id"),
            Map.entry(
                    "anomaly_txns",
                    "anomaly_id, run_id, history_id, txn_seq, role, txn_id, session_id, session_seq, status, start_ts, "
                            + "commit_ts, op_index, ops_text, source_file, source_row, invoke_ns, complete_ns, extra"),
            Map.entry(
                    "anomaly_edges",
                    "anomaly_id, run_id, history_id, edge_seq, from_txn_id, to_txn_id, edge_type, object_key, from_value, "
                            + "to_value, evidence, reason, predicate, because"),
            Map.entry("lint_findings", "run_id, history_id, rule_id, severity, finding_count, example, message"),
            Map.entry("dead_letters", "run_id, history_id, source_file, source_row, reason, raw_text"),
            Map.entry(
                    "components",
                    "run_id, history_id, component_id, session_count, txn_count, key_count, status, search_states, seconds"),
            Map.entry(
                    "stages",
                    "run_id, history_id, stage, seconds, records_in, records_out, bytes_read, bytes_spilled, "
                            + "peak_memory_bytes, txns_read, ops_read, dead_letters, components_done, components_total, anomalies, requests"),
            Map.entry(
                    "verdict_changes",
                    "run_id, history_id, change_seq, anomaly_id, change, anomaly_type, level, txn_id, object_key, "
                            + "expected_value, observed_value, arrived_at, changed_at, flips, stands"),
            Map.entry(
                    "watch_intervals",
                    "run_id, history_id, interval_seq, ended_at, transactions, operations, watermark_ts, sealed, open, "
                            + "late, corrected, flips, provisional, final, lag_ms, verdict_p50_us, verdict_p99_us, "
                            + "final_p99_ms, heap_bytes, rss_bytes, disk_bytes"));

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource
    void columnsAreThoseOfTheContract(LakeTable table) {
        List<String> names =
                table.columns().stream().map(LakeTable.Column::name).toList();

        assertThat(String.join(", ", names)).isEqualTo(CONTRACT.get(table.tableName()));
    }

    /** Compilers detect a wrong type, this test detects two cells of one type in the wrong order. */
    @ParameterizedTest
    @EnumSource
    void rowsGiveTheirCellsInTheOrderOfTheColumns(LakeTable table) throws Exception {
        Class<?> type = Stream.of(LakeRow.class.getPermittedSubclasses())
                .filter(row -> row.getSimpleName().equalsIgnoreCase(singular(table)))
                .findAny()
                .orElseThrow();
        List<Object> expected = new ArrayList<>();
        LakeRow row = (LakeRow) distinct(type, expected);

        assertThat(cells(row)).isEqualTo(expected).hasSameSizeAs(table.columns());
        assertThat(row.table()).isEqualTo(table);
    }

    /** Not every system reports the memory of the process. */
    @Test
    void intervalWithUnknownMemoryHasEmptyCell() {
        LakeRow.Ids ids = new LakeRow.Ids("r", "h");
        LakeRow.WatchInterval.Counts counts = new LakeRow.WatchInterval.Counts(1, 0, 0, 0, 0, 0, 0);
        LakeRow.WatchInterval.Times times = new LakeRow.WatchInterval.Times(0, 0, 0, 0);
        LakeRow row = new LakeRow.WatchInterval(ids, 1, Instant.EPOCH, 1, 1, null, counts, times, 7, null, 8);

        assertThat(cells(row)).endsWith(7L, null, 8L);
    }

    private static List<Object> cells(LakeRow row) {
        List<Object> cells = new ArrayList<>();
        LakeTable.forEachCell((Record) row, (name, cell) -> cells.add(cell));
        return cells;
    }

    private static String singular(LakeTable table) {
        String name = table.name().replace("_", "").replace("ANOMALIES", "ANOMALY");
        return name.endsWith("S") ? name.substring(0, name.length() - 1) : name;
    }

    /** Returns a record whose cells are different from each other, as far as their types allow. */
    private static Object distinct(Class<?> type, List<Object> cells) throws ReflectiveOperationException {
        RecordComponent[] components = type.getRecordComponents();
        Object[] values = new Object[components.length];
        Class<?>[] types = new Class<?>[components.length];
        for (int i = 0; i < values.length; i++) {
            types[i] = components[i].getType();
            long number = cells.size();
            if (types[i].isRecord()) {
                values[i] = distinct(types[i], cells);
                continue;
            } else if (types[i] == String.class) {
                values[i] = "cell " + number;
            } else if (types[i] == boolean.class) {
                values[i] = true;
            } else if (types[i] == double.class) {
                values[i] = number + 0.5;
            } else {
                values[i] = types[i] == Instant.class ? Instant.ofEpochSecond(number) : (Object) number;
            }
            cells.add(values[i]);
        }
        return type.getDeclaredConstructor(types).newInstance(values);
    }

    @ParameterizedTest
    @EnumSource
    void filesHaveEveryColumnWithItsType(LakeTable table) {
        LakeFixtures.writeFullRun(folder, "r1");

        List<List<String>> expected = table.columns().stream()
                .map(column -> List.of(column.name(), duckType(column.type())))
                .toList();
        assertThat(LakeRows.schema(folder, table)).isEqualTo(expected);
    }

    @Test
    void rowsAreReadBackAsTheyWereAdded() {
        LakeFixtures.writeFullRun(folder, "r1");
        String history = LakeNames.historyId("orders.parquet");
        String anomaly = LakeFixtures.staleRead("x").anomalyId();

        assertThat(LakeRows.rows(folder, LakeTable.RUNS))
                .singleElement()
                .asString()
                .isEqualTo("[r1, " + history + ", orders.parquet, violated, 2026-11-20T00:00Z, 2026-11-20T00:00:02Z, "
                        + "local, timestamps, 3, 4, 2, 2, 0.1.0, 1, " + LakeFixtures.OPTIONS + ", sha256:abc, b1]");
        assertThat(LakeRows.rows(folder, LakeTable.LEVEL_VERDICTS).toString())
                .isEqualTo("[[r1, " + history + ", snapshot-isolation, violated, timestamps, null, 1, 0.0, true], [r1, "
                        + history + ", serializable, undecided, timestamps, budget, 0, 0.0, false]]");
        assertThat(LakeRows.rows(folder, LakeTable.ANOMALIES).toString())
                .isEqualTo(
                        "[[" + anomaly + ", r1, " + history + ", EXT, null, snapshot-isolation, chronos-si, x, 3, 2, "
                                + "12, 32, 2, 2, 1, 1, stale, 8, false, "
                                + LakeFixtures.staleRead("x").fingerprint()
                                + ", " + LakeFixtures.explanation("x") + ", null]]");
        assertThat(LakeRows.rows(folder, LakeTable.ANOMALY_TXNS).get(0).toString())
                .isEqualTo(
                        "[" + anomaly + ", r1, " + history
                                + ", 1, reader, 3, 1, 3, committed, 30, 32, 1, w(other,7) r(x,1), orders.parquet, 3, null, null, null]");
        assertThat(LakeRows.rows(folder, LakeTable.ANOMALY_EDGES).get(1).toString())
                .isEqualTo("[" + anomaly + ", r1, " + history + ", 2, 1, 2, ww, x, 1, 2, timestamp, null, null, null]");
        assertThat(LakeRows.rows(folder, LakeTable.LINT_FINDINGS).toString())
                .isEqualTo("[[r1, " + history + ", L13, warning, 1, T3, start_ts looks like the begin time]]");
        assertThat(LakeRows.rows(folder, LakeTable.DEAD_LETTERS).toString())
                .isEqualTo("[[r1, " + history + ", orders.parquet, 9, unknown op kind: kind=z, {\"txn\":9}]]");
        assertThat(LakeRows.rows(folder, LakeTable.COMPONENTS).toString())
                .isEqualTo("[[r1, " + history + ", 0, 2, 3, 2, done, 17, 0.5]]");
        assertThat(LakeRows.rows(folder, LakeTable.STAGES).toString())
                .isEqualTo("[[r1, " + history
                        + ", read, 0.1, 3, 4, 1000, null, 2000, 3, null, null, null, null, null, null]]");
    }

    private static String duckType(LakeTable.Type type) {
        return switch (type) {
            case STRING -> "VARCHAR";
            case INT64 -> "BIGINT";
            case DOUBLE -> "DOUBLE";
            case BOOLEAN -> "BOOLEAN";
            case TIMESTAMP -> "TIMESTAMP WITH TIME ZONE";
        };
    }
}
