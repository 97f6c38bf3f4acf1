package io.nightjar.jobs.flink;

import io.nightjar.jobs.run.StageMetrics.StageRow;
import java.io.Serializable;
import java.util.Map;
import java.util.TreeMap;

/**
 * Metrics of one task of a stage, for the table of stages.
 *
 * @param counters its metrics, by their names
 */
record StageMessage(
        String stage,
        double seconds,
        long recordsIn,
        long recordsOut,
        long bytesRead,
        long bytesSpilled,
        Map<String, Long> counters)
        implements Serializable {

    static StageMessage of(StageRow row) {
        return new StageMessage(
                row.stage(),
                row.seconds(),
                row.recordsIn(),
                row.recordsOut(),
                row.bytesRead(),
                row.bytesSpilled(),
                row.counters());
    }

    /** Returns the metrics of bytes that a stage spilled to disk. */
    static StageMessage ofSpilled(String stage, long bytes) {
        return new StageMessage(stage, 0, 0, 0, 0, bytes, Map.of());
    }

    /** Returns the sum of these metrics and the metrics of later work by the same task in the same stage. */
    StageMessage then(StageMessage next) {
        return with(next, seconds + next.seconds);
    }

    /** Returns the sum of these metrics and the metrics of another task that ran concurrently in the same stage. */
    StageMessage addConcurrent(StageMessage other) {
        return with(other, Math.max(seconds, other.seconds));
    }

    private StageMessage with(StageMessage other, double together) {
        Map<String, Long> sums = new TreeMap<>(counters);
        other.counters.forEach((name, count) -> sums.merge(name, count, Long::sum));
        return new StageMessage(
                stage,
                together,
                recordsIn + other.recordsIn,
                recordsOut + other.recordsOut,
                bytesRead + other.bytesRead,
                bytesSpilled + other.bytesSpilled,
                sums);
    }
}
