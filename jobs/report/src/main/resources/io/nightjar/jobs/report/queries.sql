-- Anomalies by type and key
SELECT anomaly_type, pattern, object_key, count(*) AS n
FROM anomalies
GROUP BY ALL
ORDER BY n DESC
LIMIT 20

-- Latest run of each history
SELECT r.history_uri, r.run_id, r.verdict, r.finished_at, r.transaction_count, count(a.anomaly_id) AS anomalies
FROM v_latest_run r
LEFT JOIN anomalies a ON a.run_id = r.run_id
GROUP BY ALL
ORDER BY anomalies DESC

-- Anomalies that the run before did not have
SELECT run_id, anomaly_type, object_key, explanation
FROM v_new_anomalies
ORDER BY run_id DESC, anomaly_type, object_key

-- Levels that are undecided, with reasons
SELECT run_id, level, evidence, reason
FROM level_verdicts
WHERE verdict = 'undecided'
ORDER BY run_id DESC, level

-- Anomalies run by run
SELECT r.history_uri, r.started_at, r.run_id, r.verdict, count(a.anomaly_id) AS anomalies
FROM runs r
LEFT JOIN anomalies a ON a.run_id = r.run_id AND a.related_anomaly_id IS NULL
GROUP BY ALL
ORDER BY r.history_uri, r.started_at

-- Transactions in most anomalies
SELECT run_id, txn_id, session_id, count(DISTINCT anomaly_id) AS anomalies, string_agg(DISTINCT role, ', ') AS roles
FROM anomaly_txns
GROUP BY ALL
ORDER BY anomalies DESC
LIMIT 20

-- Lint findings
SELECT run_id, severity, rule_id, finding_count, message
FROM lint_findings
ORDER BY run_id DESC, severity, rule_id

-- Time of each stage
SELECT stage, count(*) AS runs, round(avg(seconds), 3) AS mean_seconds, max(seconds) AS max_seconds
FROM stages
GROUP BY stage
ORDER BY mean_seconds DESC
