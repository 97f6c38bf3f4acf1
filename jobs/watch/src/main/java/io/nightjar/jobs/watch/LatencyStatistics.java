package io.nightjar.jobs.watch;

import io.nightjar.jobs.watch.LiveCounts.Count;
import org.HdrHistogram.Histogram;

/** Latency of verdicts in the current interval: from arrival to the first and to the final one. */
public final class LatencyStatistics {

    private static final long MAX_MICROS = 24L * 3_600 * 1_000_000;

    private final Histogram verdicts = new Histogram(MAX_MICROS, 2);
    private final Histogram finals = new Histogram(MAX_MICROS, 2);

    /** Records first verdicts; without provisional verdicts the final ones are the first. */
    public void verdict(long micros, long count) {
        record(verdicts, micros, count);
    }

    public void finalVerdict(long micros, long count) {
        record(finals, micros, count);
    }

    /** Starts an interval: clears the times of verdicts. */
    public void beginInterval() {
        verdicts.reset();
        finals.reset();
    }

    private static void record(Histogram histogram, long micros, long count) {
        if (count > 0) {
            histogram.recordValueWithCount(Math.max(0, Math.min(MAX_MICROS, micros)), count);
        }
    }

    /** Sets percentiles; 0 without samples. */
    LiveCounts count(LiveCounts counts) {
        Histogram first = verdicts.getTotalCount() == 0 ? finals : verdicts;
        return counts.set(Count.VERDICT_P50_US, first.getValueAtPercentile(50))
                .set(Count.VERDICT_P99_US, first.getValueAtPercentile(99))
                .set(Count.FINAL_P99_MS, finals.getValueAtPercentile(99) / 1_000);
    }
}
