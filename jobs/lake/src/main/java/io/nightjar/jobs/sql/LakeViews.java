package io.nightjar.jobs.sql;

import io.nightjar.jobs.SqlWords;
import io.nightjar.jobs.lake.Lake;
import io.nightjar.jobs.lake.LakeTable;
import io.nightjar.jobs.lake.LevelDefinitions;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a lake as views over the files of its complete runs, views over those, and two over running watches.
 */
final class LakeViews {

    /*
     * A view is created when a statement first mentions it: creating it opens its files, and a lake may contain many.
     * Statements that query the catalog get all of them.
     */

    private static final Set<String> CATALOGUE_WORDS = Set.of("show", "tables", "information_schema", "pragma", "call");

    private static final String LATEST_RUN =
            """
            SELECT * EXCLUDE (run_rank) FROM (
                SELECT *, row_number() OVER (PARTITION BY history_id ORDER BY started_at DESC, run_id DESC) AS run_rank
                FROM runs)
            WHERE run_rank = 1""";

    /** Levels whose definition is another one in only one of the two latest runs have no new anomalies. */
    private static final String NEW_ANOMALIES =
            """
            WITH ranked AS (
                SELECT run_id, history_id,
                    row_number() OVER (PARTITION BY history_id ORDER BY started_at DESC, run_id DESC) AS run_rank
                FROM runs),
            redefined AS (
                SELECT k.history_id, o.level FROM (%s) o
                JOIN ranked k ON k.run_id = o.run_id AND k.run_rank <= 2
                WHERE k.history_id IN (SELECT history_id FROM ranked WHERE run_rank = 2)
                GROUP BY k.history_id, o.level HAVING count(*) = 1)
            SELECT a.* FROM anomalies a
            JOIN ranked latest ON latest.run_id = a.run_id AND latest.run_rank = 1
            WHERE NOT EXISTS (
                SELECT 1 FROM redefined
                WHERE redefined.history_id = a.history_id AND redefined.level = a.level_violated)
            AND NOT EXISTS (
                SELECT 1 FROM anomalies old
                JOIN ranked before ON before.run_id = old.run_id AND before.run_rank = 2
                WHERE old.history_id = a.history_id AND old.fingerprint = a.fingerprint)"""
                    .formatted(LevelDefinitions.sql());

    private static final String ANOMALIES_READABLE =
            """
            SELECT r.finished_at AS "time", r.history_uri AS history, a.anomaly_id, a.level_violated AS level,
                a.anomaly_type AS "type", a.object_key AS "key", t.transactions, a.explanation
            FROM anomalies a
            JOIN runs r ON r.run_id = a.run_id
            LEFT JOIN (
                SELECT run_id, anomaly_id, string_agg(txn_id, ', ' ORDER BY txn_seq) AS transactions
                FROM (
                    SELECT run_id, anomaly_id, txn_id, min(txn_seq) AS txn_seq
                    FROM anomaly_txns GROUP BY run_id, anomaly_id, txn_id)
                GROUP BY run_id, anomaly_id) t
            ON t.run_id = a.run_id AND t.anomaly_id = a.anomaly_id""";

    /** The id of an anomaly changes with the writer that a read should have observed, which may arrive later. */
    private static final String LIVE_ANOMALIES =
            """
            SELECT * EXCLUDE (change_rank) FROM (
                SELECT *, row_number() OVER (
                    PARTITION BY run_id, CASE WHEN anomaly_type = 'NOCONFLICT' THEN anomaly_id
                        ELSE concat_ws('/', level, anomaly_type, txn_id, object_key) END
                    ORDER BY change_seq DESC) AS change_rank
                FROM live_verdict_changes)
            WHERE change_rank = 1""";

    private static final String LIVE_RUNS =
            """
            SELECT * EXCLUDE (interval_rank), run_id IN (SELECT run_id FROM runs) AS is_complete FROM (
                SELECT *, row_number() OVER (PARTITION BY run_id ORDER BY interval_seq DESC) AS interval_rank
                FROM live_watch_intervals)
            WHERE interval_rank = 1""";

    private static final String LIVE_PREFIX = "live_";

    private static final Map<String, String> DERIVED = derived();

    private final Connection connection;
    private final @Nullable Lake lake;
    private final RemoteCopies copies;
    private final Set<String> made = new HashSet<>();
    private Set<String> runIds = Set.of();
    private @Nullable Set<String> onlyRuns; // null for all

    /** @param lake null for none: then every table is empty */
    LakeViews(Connection connection, @Nullable Lake lake, RemoteCopies copies) {
        this.copies = copies;
        this.connection = connection;
        this.lake = lake;
    }

    private static Map<String, String> derived() {
        Map<String, String> views = new LinkedHashMap<>();
        views.put("v_latest_run", LATEST_RUN);
        views.put("v_new_anomalies", NEW_ANOMALIES);
        views.put("v_anomalies_readable", ANOMALIES_READABLE);
        views.put("v_live_anomalies", LIVE_ANOMALIES);
        views.put("v_live_runs", LIVE_RUNS);
        return views;
    }

    /** Returns the names of all views, tables first. */
    static List<String> names() {
        List<String> names = new ArrayList<>();
        for (LakeTable table : LakeTable.values()) {
            names.add(table.tableName());
        }
        names.addAll(DERIVED.keySet());
        return names;
    }

    /** Restricts all views to the rows of these runs, null for all; no other run's files are opened. */
    void restrictTo(@Nullable Set<String> runs) {
        onlyRuns = runs;
    }

    /** Makes the views that a statement mentions, over the runs that are complete at this moment. */
    void prepare(String sql) throws SQLException {
        Set<String> complete = lake == null ? Set.of() : lake.completeRuns();
        if (onlyRuns != null) {
            complete = new TreeSet<>(complete);
            complete.retainAll(onlyRuns);
        }
        if (!complete.equals(runIds)) {
            runIds = new TreeSet<>(complete);
            made.clear();
        }
        made.removeIf(name -> name.startsWith("v_live_")); // their runs continue
        Set<String> names = new HashSet<>();
        for (SqlWords.Word word : SqlScanner.scan(sql)) {
            String name = SqlScanner.name(word);
            if (name != null && (CATALOGUE_WORDS.contains(name) || name.startsWith("duckdb_"))) {
                prepareAll();
                return;
            }
            names.add(name);
        }
        for (String name : names()) {
            if (names.contains(name)) {
                make(name);
            }
        }
    }

    /** Returns complete runs and running ones. */
    private Set<String> liveRuns() {
        Set<String> runs = new TreeSet<>(runIds);
        if (lake != null && onlyRuns == null) {
            runs.addAll(lake.liveRuns());
        }
        return runs;
    }

    void prepareAll() throws SQLException {
        for (String name : names()) {
            make(name);
        }
    }

    private void make(String name) throws SQLException {
        if (!made.add(name)) {
            return;
        }
        String query = DERIVED.get(name);
        if (query == null) {
            query = query(LakeTable.valueOf(name.toUpperCase(Locale.ROOT)), runIds);
        } else {
            for (LakeTable table : LakeTable.values()) {
                if (query.contains(LIVE_PREFIX + table.tableName())) {
                    query = query.replace(LIVE_PREFIX + table.tableName(), "(" + query(table, liveRuns()) + ")");
                } else if (query.contains(table.tableName())) {
                    make(table.tableName());
                }
            }
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE OR REPLACE VIEW " + name + " AS " + query);
        }
    }

    /**
     * Returns the query of a view: the table's own columns are first and exist even if no file has them; later columns
     * follow.
     */
    private String query(LakeTable table, Set<String> runs) {
        String empty = table.columns().stream()
                .map(column -> "CAST(NULL AS " + TYPES.get(column.type()) + ") AS " + column.name())
                .collect(Collectors.joining(", ", "SELECT ", " WHERE false"));
        List<Path> files = lake == null ? List.of() : lake.files(table, runs);
        return files.isEmpty() ? empty : empty + " UNION ALL BY NAME SELECT * FROM " + readParquet(copies.of(files));
    }

    private static final Map<LakeTable.Type, String> TYPES = types();

    private static Map<LakeTable.Type, String> types() {
        Map<LakeTable.Type, String> types = new EnumMap<>(LakeTable.Type.class);
        types.put(LakeTable.Type.STRING, "VARCHAR");
        types.put(LakeTable.Type.INT64, "BIGINT");
        types.put(LakeTable.Type.DOUBLE, "DOUBLE");
        types.put(LakeTable.Type.BOOLEAN, "BOOLEAN");
        types.put(LakeTable.Type.TIMESTAMP, "TIMESTAMPTZ");
        return types;
    }

    /** Returns the rows of some files that have the same columns, or nearly so. */
    static String readParquet(List<Path> files) {
        return files.stream()
                .map(file -> literal(file.toAbsolutePath().toString()))
                .collect(Collectors.joining(
                        ", ", "read_parquet([", "], union_by_name = true, hive_partitioning = false)"));
    }

    static String literal(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}
