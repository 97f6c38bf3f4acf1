package io.nightjar.jobs.watch;

import io.nightjar.pipeline.check.ResultCodec;
import io.nightjar.pipeline.online.OnlineCheck;
import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;

/** Counters of one task of a watch; counters of other tasks are zero. */
public final class LiveCounts {

    /** The counters of a watch. */
    public enum Count {
        TRANSACTIONS,
        OPERATIONS,
        REPEATED,
        PROVISIONAL,
        FLIPS,
        LATE,
        LEFT_TO_SEGMENTS,
        SEGMENT_CHECKS,
        UNKNOWN,
        UNPLACED,
        COMMITTED,
        TOO_LATE,
        OPEN,
        KEPT_BYTES,
        LAG_MILLIS,
        VERDICT_P50_MICROS,
        VERDICT_P99_MICROS,
        FINAL_P50_MILLIS,
        FINAL_P99_MILLIS,
        LATE_MICROS,
        LATE_TXNS,
        LATE_TICKS
    }

    private static final Count[] COUNTS = Count.values();

    private final long[] counts = new long[COUNTS.length];
    private WatermarkBlockers heldBack = WatermarkBlockers.NOTHING;

    public LiveCounts set(Count which, long count) {
        counts[which.ordinal()] = count;
        return this;
    }

    public long get(Count which) {
        return counts[which.ordinal()];
    }

    /**
     * Returns the counts of arrivals.
     *
     * @param corrected final verdicts that changed
     * @param tooLate counter of rows that arrived too late
     * @param deadLetters malformed rows
     */
    WatchStatus.Arrived arrived(long corrected, Count tooLate, long deadLetters) {
        return new WatchStatus.Arrived(
                get(Count.TRANSACTIONS),
                get(Count.OPERATIONS),
                get(Count.OPEN),
                get(Count.LATE),
                corrected,
                get(Count.REPEATED),
                get(tooLate),
                deadLetters);
    }

    /** Sets the reasons why arrived transactions are not final. */
    public LiveCounts heldBack(WatermarkBlockers what) {
        heldBack = what;
        return this;
    }

    WatermarkBlockers heldBack() {
        return heldBack;
    }

    /** Sets the counts of a check, and the latency of its verdicts. */
    public LiveCounts of(OnlineCheck check, LatencyStatistics times) {
        set(Count.PROVISIONAL, check.provisional());
        set(Count.FLIPS, check.flips());
        set(Count.LATE, check.lateCount());
        set(Count.LEFT_TO_SEGMENTS, check.leftToSegments());
        set(Count.UNKNOWN, check.unknownCount());
        set(Count.UNPLACED, check.unplacedCount());
        LatencyStatistics.Percentiles percentiles = times.percentiles();
        set(Count.VERDICT_P50_MICROS, percentiles.verdictP50Micros());
        set(Count.VERDICT_P99_MICROS, percentiles.verdictP99Micros());
        set(Count.FINAL_P50_MILLIS, percentiles.finalP50Millis());
        set(Count.FINAL_P99_MILLIS, percentiles.finalP99Millis());
        return this;
    }

    /** Adds the counts of another task; a span becomes the larger one. */
    void add(LiveCounts other) {
        heldBack = heldBack.and(other.heldBack);
        for (Count count : COUNTS) {
            boolean isSpan = count.compareTo(Count.LAG_MILLIS) >= 0;
            long amount = counts[count.ordinal()];
            long more = other.counts[count.ordinal()];
            counts[count.ordinal()] = isSpan ? Math.max(amount, more) : amount + more;
        }
    }

    /** Replaces spans by larger ones of another task. */
    void addSpans(LiveCounts other) {
        for (int span = Count.LAG_MILLIS.ordinal(); span < COUNTS.length; span++) {
            counts[span] = Math.max(counts[span], other.counts[span]);
        }
    }

    /** Subtracts earlier counts; spans remain. */
    void takeOff(LiveCounts other) {
        for (Count count : COUNTS) {
            boolean isSpan = count.compareTo(Count.LAG_MILLIS) >= 0;
            counts[count.ordinal()] -= isSpan ? 0 : other.counts[count.ordinal()];
        }
    }

    private record State(long[] counts, WatermarkBlockers heldBack) {}

    public void encode(ByteWriter to) {
        ResultCodec.encode(new State(counts, heldBack), to);
    }

    static LiveCounts decode(ByteReader from) {
        State state = ResultCodec.decode(State.class, from);
        LiveCounts decoded = new LiveCounts();
        System.arraycopy(state.counts, 0, decoded.counts, 0, COUNTS.length);
        return decoded.heldBack(state.heldBack);
    }
}
