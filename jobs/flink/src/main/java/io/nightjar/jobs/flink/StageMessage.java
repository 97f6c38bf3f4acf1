package io.nightjar.jobs.flink;

import io.nightjar.jobs.run.StageMetrics.StageRow;
import java.io.Serializable;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one task of a station did, for the table of stages.
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

    /** Bytes that a station put aside on disk. */
    static StageMessage ofSpilled(String stage, long bytes) {
        return new StageMessage(stage, 0, 0, 0, 0, bytes, Map.of());
    }

    /** This, and then something else that the same task did for the same station. */
    StageMessage then(StageMessage next) {
        return with(next, seconds + next.seconds);
    }

    /** This, and at the same time what another task did for the same station. */
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
