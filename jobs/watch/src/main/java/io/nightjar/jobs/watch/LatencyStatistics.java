package io.nightjar.jobs.watch;

import io.nightjar.jobs.watch.LiveCounts.Count;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Latency of verdicts in an interval, from arrival to the first and to the final one; age of unsealed arrivals. */
public final class LatencyStatistics {

    private static final long MAX_MICROS = 24L * 3_600 * 1_000_000;

    private final Histogram verdicts = new Histogram(MAX_MICROS, 2);
    private final Histogram finals = new Histogram(MAX_MICROS, 2);

    private final PriorityQueue<Unsealed> unsealed =
            new PriorityQueue<>(Comparator.comparingLong(Unsealed::lastCommit).thenComparingLong(Unsealed::micros));

    /** Transactions that arrived together and are not all sealed. */
    private record Unsealed(long lastCommit, long micros, long count) {}

    /** Records an arrival. */
    public void arrived(long @Nullable [] commits, int count, long micros) {
        long last = Long.MIN_VALUE;
        for (int txn = 0; commits != null && txn < count; txn++) {
            last = Math.max(last, commits[txn]);
        }
        arrived(last, count, micros);
    }

    void arrived(long lastCommit, int count, long micros) {
        unsealed.add(new Unsealed(lastCommit, micros, count));
    }

    /** Records that all transactions that committed up to the watermark have final verdicts. */
    public void sealed(long watermark) {
        long now = WatchClock.micros();
        for (Unsealed first = unsealed.peek();
                first != null && first.lastCommit <= watermark;
                first = unsealed.peek()) {
            record(finals, now - first.micros, first.count);
            unsealed.poll();
        }
    }

    /**
     * Returns the age of the oldest transaction without a final verdict.
     *
     * @param ahead a commit far ahead that needs confirmation, and is ignored
     */
    public long lagMicros(long ahead) {
        Unsealed first = unsealed.peek();
        return first == null || first.lastCommit == ahead ? 0 : WatchClock.micros() - first.micros;
    }

    /** Records first verdicts; without provisional verdicts the final ones are the first. */
    public void verdict(long micros, long count) {
        record(verdicts, micros, count);
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
