package io.nightjar.jobs.watch;

import java.util.Comparator;
import java.util.PriorityQueue;

/** Arrival times of the transactions whose verdicts are not final, grouped by arrival. */
public final class UnsealedArrivals {

    private final PriorityQueue<Arrivals> byCommit =
            new PriorityQueue<>(Comparator.comparingLong(Arrivals::lastCommit).thenComparingLong(Arrivals::micros));

    private record Arrivals(long lastCommit, long micros, long count) {}

    /** @param lastCommit the largest of theirs */
    public void add(long lastCommit, long micros, long count) {
        byCommit.add(new Arrivals(lastCommit, micros, count));
    }

    /** Notes that all that commits up to the watermark is final now. */
    public void seal(long watermark, LatencyStatistics times) {
        long now = WatchClock.micros();
        for (Arrivals first = byCommit.peek();
                first != null && first.lastCommit <= watermark;
                first = byCommit.peek()) {
            times.finalVerdict(now - first.micros, first.count);
            byCommit.poll();
        }
    }

    /**
     * Returns how long the first of them has been there.
     *
     * @param ahead a commit that is not waited for
     */
    public long lagMicros(long now, long ahead) {
        Arrivals first = byCommit.peek();
        return first == null || first.lastCommit == ahead ? 0 : now - first.micros;
    }
}
