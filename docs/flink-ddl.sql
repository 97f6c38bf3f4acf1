-- The tables of a lake, and one history, for Flink SQL in batch mode. docs/flink-sql.md says how to use it.
--
-- ${lake}      the folder that check --lake wrote, as Flink sees it: an absolute path, or an address such as s3://bucket/lake
-- ${history}   a history in Parquet: a file, or a folder of parts
-- ${key}       BIGINT or STRING: what the keys of that history are
-- ${value}     the same for its values

-- Each table as it lies there. A table without rows has no folder, which Flink takes for a table without partitions.

CREATE TABLE stored_runs (
    `run_id` STRING,
    `history_id` STRING,
    `history_uri` STRING,
    `verdict` STRING,
    `started_at` TIMESTAMP_LTZ(6),
    `finished_at` TIMESTAMP_LTZ(6),
    `engine` STRING,
    `evidence` STRING,
    `transaction_count` BIGINT,
    `operation_count` BIGINT,
    `session_count` BIGINT,
    `key_count` BIGINT,
    `checker_version` STRING,
    `schema_version` BIGINT,
    `options_json` STRING,
    `input_fingerprint` STRING,
    `batch_id` STRING
) PARTITIONED BY (history_id, run_id) WITH (
    'connector' = 'filesystem',
    'path' = '${lake}/runs',
    'format' = 'parquet',
    'parquet.utc-timezone' = 'true'
);

CREATE TABLE stored_level_verdicts (
    `run_id` STRING,
    `history_id` STRING,
    `level` STRING,
    `verdict` STRING,
    `evidence` STRING,
    `reason` STRING,
    `anomaly_count` BIGINT,
    `seconds` DOUBLE,
    `is_exact` BOOLEAN
) PARTITIONED BY (history_id, run_id) WITH (
    'connector' = 'filesystem',
    'path' = '${lake}/level_verdicts',
    'format' = 'parquet',
    'parquet.utc-timezone' = 'true'
);

CREATE TABLE stored_anomalies (
    `anomaly_id` STRING,
    `run_id` STRING,
    `history_id` STRING,
    `anomaly_type` STRING,
    `pattern` STRING,
    `level_violated` STRING,
    `algorithm` STRING,
    `object_key` STRING,
    `txn_count` BIGINT,
    `session_count` BIGINT,
    `min_commit_ts` BIGINT,
    `max_commit_ts` BIGINT,
    `expected_value` STRING,
    `expected_writer_txn_id` BIGINT,
    `observed_value` STRING,
    `observed_writer_txn_id` BIGINT,
    `observed_origin` STRING,
    `slack` BIGINT,
    `is_depending_on_unknown` BOOLEAN,
    `fingerprint` STRING,
    `explanation` STRING,
    `related_anomaly_id` STRING
) PARTITIONED BY (history_id, run_id) WITH (
    'connector' = 'filesystem',
    'path' = '${lake}/anomalies',
    'format' = 'parquet',
    'parquet.utc-timezone' = 'true'
);

CREATE TABLE stored_anomaly_txns (
    `anomaly_id` STRING,
    `run_id` STRING,
    `history_id` STRING,
    `txn_seq` BIGINT,
    `role` STRING,
    `txn_id` BIGINT,
    `session_id` BIGINT,
    `session_seq` BIGINT,
    `status` STRING,
    `start_ts` BIGINT,
    `commit_ts` BIGINT,
    `op_index` BIGINT,
    `ops_text` STRING,
    `source_file` STRING,
    `source_row` BIGINT,
    `invoke_ns` BIGINT,
    `complete_ns` BIGINT,
    `extra` STRING
) PARTITIONED BY (history_id, run_id) WITH (
    'connector' = 'filesystem',
    'path' = '${lake}/anomaly_txns',
    'format' = 'parquet',
    'parquet.utc-timezone' = 'true'
);

CREATE TABLE stored_anomaly_edges (
    `anomaly_id` STRING,
    `run_id` STRING,
    `history_id` STRING,
    `edge_seq` BIGINT,
    `from_txn_id` BIGINT,
    `to_txn_id` BIGINT,
    `edge_type` STRING,
    `object_key` STRING,
    `from_value` STRING,
    `to_value` STRING,
    `evidence` STRING,
    `reason` STRING,
    `predicate` STRING,
    `because` STRING
) PARTITIONED BY (history_id, run_id) WITH (
    'connector' = 'filesystem',
    'path' = '${lake}/anomaly_edges',
    'format' = 'parquet',
    'parquet.utc-timezone' = 'true'
);

CREATE TABLE stored_lint_findings (
    `run_id` STRING,
    `history_id` STRING,
    `rule_id` STRING,
    `severity` STRING,
    `finding_count` BIGINT,
    `example` STRING,
    `message` STRING
) PARTITIONED BY (history_id, run_id) WITH (
    'connector' = 'filesystem',
    'path' = '${lake}/lint_findings',
    'format' = 'parquet',
    'parquet.utc-timezone' = 'true'
);

CREATE TABLE stored_dead_letters (
    `run_id` STRING,
    `history_id` STRING,
    `source_file` STRING,
    `source_row` BIGINT,
    `reason` STRING,
    `raw_text` STRING
) PARTITIONED BY (history_id, run_id) WITH (
    'connector' = 'filesystem',
    'path' = '${lake}/dead_letters',
    'format' = 'parquet',
    'parquet.utc-timezone' = 'true'
);

CREATE TABLE stored_components (
    `run_id` STRING,
    `history_id` STRING,
    `component_id` BIGINT,
    `session_count` BIGINT,
    `txn_count` BIGINT,
    `key_count` BIGINT,
    `status` STRING,
    `search_states` BIGINT,
    `seconds` DOUBLE
) PARTITIONED BY (history_id, run_id) WITH (
    'connector' = 'filesystem',
    'path' = '${lake}/components',
    'format' = 'parquet',
    'parquet.utc-timezone' = 'true'
);

CREATE TABLE stored_stages (
    `run_id` STRING,
    `history_id` STRING,
    `stage` STRING,
    `seconds` DOUBLE,
    `records_in` BIGINT,
    `records_out` BIGINT,
    `bytes_read` BIGINT,
    `bytes_spilled` BIGINT,
    `peak_memory_bytes` BIGINT,
    `txns_read` BIGINT,
    `ops_read` BIGINT,
    `dead_letters` BIGINT,
    `components_done` BIGINT,
    `components_total` BIGINT,
    `anomalies` BIGINT,
    `requests` BIGINT
) PARTITIONED BY (history_id, run_id) WITH (
    'connector' = 'filesystem',
    'path' = '${lake}/stages',
    'format' = 'parquet',
    'parquet.utc-timezone' = 'true'
);

CREATE TABLE stored_verdict_changes (
    `run_id` STRING,
    `history_id` STRING,
    `change_seq` BIGINT,
    `anomaly_id` STRING,
    `change` STRING,
    `anomaly_type` STRING,
    `level` STRING,
    `txn_id` BIGINT,
    `object_key` STRING,
    `expected_value` STRING,
    `observed_value` STRING,
    `arrived_at` TIMESTAMP_LTZ(6),
    `changed_at` TIMESTAMP_LTZ(6),
    `flips` BIGINT,
    `stands` BOOLEAN
) PARTITIONED BY (history_id, run_id) WITH (
    'connector' = 'filesystem',
    'path' = '${lake}/verdict_changes',
    'format' = 'parquet',
    'parquet.utc-timezone' = 'true'
);

CREATE TABLE stored_watch_intervals (
    `run_id` STRING,
    `history_id` STRING,
    `interval_seq` BIGINT,
    `ended_at` TIMESTAMP_LTZ(6),
    `transactions` BIGINT,
    `operations` BIGINT,
    `watermark_ts` BIGINT,
    `sealed` BIGINT,
    `open` BIGINT,
    `late` BIGINT,
    `corrected` BIGINT,
    `flips` BIGINT,
    `provisional` BIGINT,
    `final` BIGINT,
    `lag_ms` BIGINT,
    `verdict_p50_us` BIGINT,
    `verdict_p99_us` BIGINT,
    `final_p99_ms` BIGINT,
    `heap_bytes` BIGINT,
    `rss_bytes` BIGINT,
    `disk_bytes` BIGINT
) PARTITIONED BY (history_id, run_id) WITH (
    'connector' = 'filesystem',
    'path' = '${lake}/watch_intervals',
    'format' = 'parquet',
    'parquet.utc-timezone' = 'true'
);

-- The same without runs that are not complete: what to query. The row of a run appears after its rows in other tables;
-- Flink cannot look at _SUCCESS, as at any name that begins with _.

CREATE VIEW runs AS
SELECT * FROM stored_runs;

CREATE VIEW level_verdicts AS
SELECT * FROM stored_level_verdicts WHERE run_id IN (SELECT run_id FROM stored_runs);

CREATE VIEW anomalies AS
SELECT * FROM stored_anomalies WHERE run_id IN (SELECT run_id FROM stored_runs);

CREATE VIEW anomaly_txns AS
SELECT * FROM stored_anomaly_txns WHERE run_id IN (SELECT run_id FROM stored_runs);

CREATE VIEW anomaly_edges AS
SELECT * FROM stored_anomaly_edges WHERE run_id IN (SELECT run_id FROM stored_runs);

CREATE VIEW lint_findings AS
SELECT * FROM stored_lint_findings WHERE run_id IN (SELECT run_id FROM stored_runs);

CREATE VIEW dead_letters AS
SELECT * FROM stored_dead_letters WHERE run_id IN (SELECT run_id FROM stored_runs);

CREATE VIEW components AS
SELECT * FROM stored_components WHERE run_id IN (SELECT run_id FROM stored_runs);

CREATE VIEW stages AS
SELECT * FROM stored_stages WHERE run_id IN (SELECT run_id FROM stored_runs);

CREATE VIEW verdict_changes AS
SELECT * FROM stored_verdict_changes WHERE run_id IN (SELECT run_id FROM stored_runs);

CREATE VIEW watch_intervals AS
SELECT * FROM stored_watch_intervals WHERE run_id IN (SELECT run_id FROM stored_runs);

-- What nightjar sql adds to them.

CREATE VIEW v_latest_run AS
SELECT run_id, history_id, history_uri, verdict, started_at, finished_at, engine, evidence, transaction_count,
    operation_count, session_count, key_count, checker_version, schema_version, options_json, input_fingerprint,
    batch_id
FROM (
    SELECT *, ROW_NUMBER() OVER (PARTITION BY history_id ORDER BY started_at DESC, run_id DESC) AS run_rank FROM runs)
WHERE run_rank = 1;

CREATE VIEW run_ranks AS
SELECT run_id, history_id,
    ROW_NUMBER() OVER (PARTITION BY history_id ORDER BY started_at DESC, run_id DESC) AS run_rank
FROM runs;

CREATE VIEW v_anomalies_readable AS
SELECT r.finished_at AS `time`, r.history_uri AS history, a.anomaly_id, a.level_violated AS level,
    a.anomaly_type AS `type`, a.object_key AS `key`, t.transactions, a.explanation
FROM anomalies a
JOIN runs r ON r.run_id = a.run_id
LEFT JOIN (
    SELECT run_id, anomaly_id,
        -- LISTAGG keeps no order, so the ordinals go in front for sorting, and away again.
        REGEXP_REPLACE(
            ARRAY_JOIN(ARRAY_SORT(ARRAY_AGG(LPAD(CAST(txn_seq AS STRING), 19, '0') || ':' || CAST(txn_id AS STRING))), ', '),
            '[0-9]+:', '') AS transactions
    FROM (
        SELECT run_id, anomaly_id, txn_id, MIN(txn_seq) AS txn_seq
        FROM anomaly_txns GROUP BY run_id, anomaly_id, txn_id)
    GROUP BY run_id, anomaly_id) t
ON t.run_id = a.run_id AND t.anomaly_id = a.anomaly_id;

-- The levels that a run decided by another definition than later versions.
CREATE VIEW other_definitions AS
SELECT v.run_id, v.level FROM level_verdicts v
JOIN runs r ON r.run_id = v.run_id
JOIN (VALUES ('serializable', '%,serializable:2,%')) AS defined (level, entry) ON defined.level = v.level
WHERE v.evidence = 'timestamps'
AND (',' || COALESCE(REGEXP_EXTRACT(r.options_json, '"definitions":"([^"]*)"', 1), '') || ',') NOT LIKE defined.entry;

-- The levels that only one of the two latest runs of a history decided so: their anomalies are not compared.
CREATE VIEW redefined_levels AS
SELECT k.history_id, o.level FROM other_definitions o
JOIN run_ranks k ON k.run_id = o.run_id
JOIN run_ranks previous ON previous.history_id = k.history_id AND previous.run_rank = 2
WHERE k.run_rank <= 2
GROUP BY k.history_id, o.level HAVING COUNT(*) = 1;

CREATE VIEW v_new_anomalies AS
SELECT a.* FROM anomalies a
LEFT JOIN redefined_levels d ON d.history_id = a.history_id AND d.level = a.level_violated
WHERE d.level IS NULL AND a.run_id IN (SELECT run_id FROM run_ranks WHERE run_rank = 1)
AND NOT EXISTS (
    SELECT 1 FROM anomalies earlier
    WHERE earlier.run_id IN (SELECT run_id FROM run_ranks WHERE run_rank = 2)
    AND earlier.history_id = a.history_id AND earlier.fingerprint = a.fingerprint);

-- A history. Operations are rows in an array: CROSS JOIN UNNEST(ops) makes them rows of their own.

CREATE TABLE history (
    `txn_id` BIGINT,
    `session_id` BIGINT,
    `session_seq` BIGINT,
    `status` STRING,
    `start_ts` BIGINT,
    `commit_ts` BIGINT,
    `invoke_ns` BIGINT,
    `complete_ns` BIGINT,
    `ops` ARRAY<ROW<`kind` STRING, `key` ${key}, `value` ${value}, `elements` ARRAY<${value}>, `version` BIGINT, `writer_txn` BIGINT>>,
    `extra` STRING
) WITH (
    'connector' = 'filesystem',
    'path' = '${history}',
    'format' = 'parquet'
);
