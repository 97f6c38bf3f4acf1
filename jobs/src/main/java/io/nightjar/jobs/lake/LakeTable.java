package io.nightjar.jobs.lake;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The tables of a lake with their columns, in the order in which files hold them. */
public enum LakeTable {
    RUNS(
            "run_id string",
            "history_id string",
            "history_uri string",
            "verdict string",
            "started_at timestamp",
            "finished_at timestamp",
            "engine string",
            "evidence string",
            "transaction_count int64",
            "operation_count int64",
            "session_count int64",
            "key_count int64",
            "checker_version string",
            "schema_version int64",
            "options_json string",
            "input_fingerprint string",
            "batch_id string"),
    LEVEL_VERDICTS(
            "run_id string",
            "history_id string",
            "level string",
            "verdict string",
            "evidence string",
            "reason string",
            "anomaly_count int64",
            "seconds double"),
    ANOMALIES(
            "anomaly_id string",
            "run_id string",
            "history_id string",
            "anomaly_type string",
            "pattern string",
            "level_violated string",
            "algorithm string",
            "object_key string",
            "txn_count int64",
            "session_count int64",
            "min_commit_ts int64",
            "max_commit_ts int64",
            "expected_value string",
            "expected_writer_txn_id int64",
            "observed_value string",
            "observed_writer_txn_id int64",
            "observed_origin string",
            "slack int64",
            "is_depending_on_unknown boolean",
            "fingerprint string",
            "explanation string",
            "related_anomaly_id string"),
    ANOMALY_TXNS(
            "anomaly_id string",
            "run_id string",
            "history_id string",
            "txn_seq int64",
            "role string",
            "txn_id int64",
            "session_id int64",
            "session_seq int64",
            "status string",
            "start_ts int64",
            "commit_ts int64",
            "op_index int64",
            "ops_text string",
            "source_file string",
            "source_row int64",
            "invoke_ns int64",
            "complete_ns int64",
            "extra string"),
    ANOMALY_EDGES(
            "anomaly_id string",
            "run_id string",
            "history_id string",
            "edge_seq int64",
            "from_txn_id int64",
            "to_txn_id int64",
            "edge_type string",
            "object_key string",
            "from_value string",
            "to_value string",
            "evidence string",
            "reason string",
            "predicate string",
            "because string"),
    LINT_FINDINGS(
            "run_id string",
            "history_id string",
            "rule_id string",
            "severity string",
            "finding_count int64",
            "example string",
            "message string"),
    DEAD_LETTERS(
            "run_id string",
            "history_id string",
            "source_file string",
            "source_row int64",
            "reason string",
            "raw_text string"),
    COMPONENTS(
            "run_id string",
            "history_id string",
            "component_id int64",
            "session_count int64",
            "txn_count int64",
            "key_count int64",
            "status string",
            "search_states int64",
            "seconds double"),
    STAGES(
            "run_id string",
            "history_id string",
            "stage string",
            "seconds double",
            "records_in int64",
            "records_out int64",
            "bytes_read int64",
            "bytes_spilled int64",
            "peak_memory_bytes int64",
            "txns_read int64",
            "ops_read int64",
            "dead_letters int64",
            "components_done int64",
            "components_total int64",
            "anomalies int64"),
    VERDICT_CHANGES(
            "run_id string",
            "history_id string",
            "change_seq int64",
            "anomaly_id string",
            "change string",
            "anomaly_type string",
            "level string",
            "txn_id int64",
            "object_key string",
            "expected_value string",
            "observed_value string",
            "arrived_at timestamp",
            "changed_at timestamp",
            "flips int64",
            "stands boolean"),
    WATCH_INTERVALS(
            "run_id string",
            "history_id string",
            "interval_seq int64",
            "ended_at timestamp",
            "transactions int64",
            "operations int64",
            "watermark_ts int64",
            "sealed int64",
            "open int64",
            "late int64",
            "corrected int64",
            "flips int64",
            "provisional int64",
            "final int64",
            "lag_ms int64",
            "verdict_p50_us int64",
            "verdict_p99_us int64",
            "final_p99_ms int64",
            "heap_bytes int64",
            "rss_bytes int64",
            "disk_bytes int64");

    private final List<Column> columns;

    LakeTable(String... columns) {
        List<Column> parsed = new ArrayList<>();
        for (String column : columns) {
            int space = column.indexOf(' ');
            Type type = Type.valueOf(column.substring(space + 1).toUpperCase(Locale.ROOT));
            parsed.add(new Column(column.substring(0, space), type));
        }
        this.columns = List.copyOf(parsed);
    }

    /** The name of its folder and of its view. */
    public String tableName() {
        return name().toLowerCase(Locale.ROOT);
    }

    public List<Column> columns() {
        return columns;
    }

    /** One column; every column may be null, unless the page on the anomaly tables says otherwise. */
    public record Column(String name, Type type) {}

    /** The types that every reader of Parquet knows. */
    public enum Type {
        STRING,
        INT64,
        DOUBLE,
        BOOLEAN,
        /** Microseconds since 1970, UTC. */
        TIMESTAMP
    }
}
