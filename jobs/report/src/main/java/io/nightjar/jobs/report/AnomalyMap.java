package io.nightjar.jobs.report;

import io.nightjar.jobs.sql.AnomalyLookup;
import io.nightjar.jobs.sql.SqlSession;
import io.nightjar.jobs.sql.StoredRows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Distribution of the anomalies of a run over time and keys. Each anomaly counts once, at its end.
 *
 * @param axis the clock of the times
 * @param first start of the first column, in that clock
 * @param last end of the last column
 * @param columns anomalies by column of time
 * @param keys the keys with the most anomalies, in descending order; then one without a name, if anomalies have no key
 * @param keyCount number of keys with anomalies
 * @param untimed number of anomalies without a time
 */
record AnomalyMap(Axis axis, long first, long last, long[] columns, List<Key> keys, long keyCount, long untimed) {

    static final int MAX_COLUMNS = 200;
    static final int MAX_KEYS = 16;

    /** Clock of the times. */
    enum Axis {
        DATABASE("a.max_commit_ts"),
        CLIENTS("(SELECT max(complete_ns) FROM anomaly_txns t WHERE %s AND t.anomaly_id = a.anomaly_id)"),
        ROWS("(SELECT max(source_row) FROM anomaly_txns t WHERE %s AND t.anomaly_id = a.anomaly_id)");

        private final String time;

        Axis(String time) {
            this.time = time;
        }
    }

    /**
     * Anomalies of a key.
     *
     * @param name null for anomalies without a key
     * @param columns by column of time
     */
    record Key(@Nullable String name, long count, long[] columns) {}

    private record Extent(long n, @Nullable Long first, @Nullable Long last) {}

    private record Cell(long bucket, long n) {}

    private record KeyCell(@Nullable String name, long total, long nameCount, long bucket, long n) {}

    AnomalyMap {
        keys = List.copyOf(keys);
    }

    long count() {
        return Arrays.stream(columns).sum();
    }

    TimeScale scale() {
        return (axis == Axis.CLIENTS
                        ? TimeScale.ofNanos(first, last)
                        : axis == Axis.DATABASE ? TimeScale.ofTicks(first, last) : new TimeScale(0, "rows", 1))
                .withRoundOrigin(first, last);
    }

    /**
     * Reads the distribution, by the clock of the history if it has one.
     *
     * @param shape null if the history is not available
     */
    static @Nullable AnomalyMap read(SqlSession session, String runId, @Nullable HistoryShape shape) {
        String here = "run_id = " + AnomalyLookup.literal(runId);
        for (Axis axis : Axis.values()) {
            String anomalies = "a AS (SELECT a.anomaly_id, a.object_key, " + axis.time.formatted(here)
                    + " AS time FROM anomalies a WHERE " + here + " AND a.related_anomaly_id IS NULL)";
            Extent extent = StoredRows.read(
                            session,
                            Extent.class,
                            "WITH " + anomalies + " SELECT count(*) AS n, min(time) AS first, max(time) AS last FROM a")
                    .get(0);
            if (extent.n() == 0) {
                return null;
            }
            if (extent.first() != null && extent.last() != null) {
                long from = extent.first();
                long to = extent.last() + 1;
                if (shape != null && shape.hasTimes() && shape.areTimesOfClients() == (axis == Axis.CLIENTS)) {
                    from = Math.min(shape.rate().start(), from);
                    to = Math.max(shape.rate().end(), to);
                }
                return read(session, axis, here, anomalies, new Extent(extent.n(), from, to));
            }
        }
        return null;
    }

    private static AnomalyMap read(SqlSession session, Axis axis, String here, String anomalies, Extent extent) {
        long from = extent.first() == null ? 0 : extent.first();
        long to = extent.last() == null ? 1 : extent.last();
        double range = to > from ? to - from : 1;
        int count = (int) Math.max(1, Math.min(MAX_COLUMNS, range));
        String with =
                "WITH " + anomalies + ", b AS (SELECT anomaly_id, object_key, CAST(greatest(0, least(" + (count - 1)
                        + ", floor(CAST(CAST(time AS HUGEINT) - (" + from + ") AS DOUBLE) * " + count / range
                        + "))) AS BIGINT) AS bucket FROM a WHERE time IS NOT NULL),"
                        + " k AS (SELECT anomaly_id, object_key AS name FROM a WHERE object_key IS NOT NULL"
                        + " UNION SELECT e.anomaly_id, e.object_key FROM anomaly_edges e JOIN a ON a.anomaly_id = e.anomaly_id"
                        + " WHERE e." + here + " AND e.object_key IS NOT NULL AND a.object_key IS NULL),"
                        + " named AS (SELECT b.anomaly_id, b.bucket, k.name FROM b LEFT JOIN k ON k.anomaly_id = b.anomaly_id) ";
        long[] columns = new long[count];
        for (Cell cell :
                StoredRows.read(session, Cell.class, with + "SELECT bucket, count(*) AS n FROM b GROUP BY bucket")) {
            columns[(int) cell.bucket()] = cell.n();
        }
        Map<@Nullable String, Key> keyOf = new LinkedHashMap<>();
        long nameCount = 0;
        for (KeyCell cell : StoredRows.read(
                session,
                KeyCell.class,
                with + ", top AS (SELECT name, total, count(name) OVER () AS name_count"
                        + " FROM (SELECT name, count(*) AS total FROM named GROUP BY name) ORDER BY name IS NULL DESC, total DESC, name LIMIT "
                        + MAX_KEYS + ")"
                        + " SELECT t.name, t.total, t.name_count, n.bucket, count(*) AS n FROM named n"
                        + " JOIN top t ON n.name IS NOT DISTINCT FROM t.name GROUP BY t.name, t.total, t.name_count, n.bucket ORDER BY t.name IS NULL, t.total DESC, t.name")) {
            Key key = keyOf.computeIfAbsent(cell.name(), name -> new Key(name, cell.total(), new long[count]));
            key.columns()[(int) cell.bucket()] = cell.n();
            nameCount = cell.nameCount();
        }
        List<Key> keys = new ArrayList<>(keyOf.values());
        long timed = Arrays.stream(columns).sum();
        return new AnomalyMap(axis, from, to, columns, keys, nameCount, extent.n() - timed);
    }
}
