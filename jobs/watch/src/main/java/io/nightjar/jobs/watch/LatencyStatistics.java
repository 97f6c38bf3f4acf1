package io.nightjar.jobs.watch;

import org.HdrHistogram.Histogram;

/**
 * How long verdicts took from arrival to the first and to the final one, since an interval began; and since the watch began how
 * long it took until a flip was set right, and how late transactions came.
 */
public final class LatencyStatistics {

    /** Stands for a percentile that is not known. */
    static final long UNKNOWN = -1;

    private static final long MAX_MICROS = 24L * 3_600 * 1_000_000;

    private final Histogram verdicts = histogram();
    private final Histogram finals = histogram();
    private final Histogram setRight = histogram();
    private final Histogram late = histogram();

    private static Histogram histogram() {
        return new Histogram(MAX_MICROS, 2);
    }

    /** 0 where there was nothing; how late transactions came may be {@link #UNKNOWN}. */
    record Percentiles(
            long verdictP50Micros,
            long verdictP99Micros,
            long finalP50Millis,
            long finalP99Millis,
            long setRightP50Millis,
            long setRightP99Millis,
            long lateP50Millis,
            long lateP99Millis) {}

    /** Records first verdicts; without provisional verdicts the final ones are the first. */
    public void verdict(long micros, long count) {
        record(verdicts, micros, count);
    }

    public void finalVerdict(long micros, long count) {
        record(finals, micros, count);
    }

    /** A verdict that was wrong for a while is right. */
    void setRight(long micros) {
        record(setRight, micros, 1);
    }

    /** A transaction arrived so long behind the first one that commits after it. */
    void late(long micros) {
        record(late, micros, 1);
    }

    /** Begins an interval: times of verdicts before it count no more. */
    public void beginInterval() {
        verdicts.reset();
        finals.reset();
    }

    private static void record(Histogram histogram, long micros, long count) {
        if (count > 0) {
            histogram.recordValueWithCount(Math.max(0, Math.min(MAX_MICROS, micros)), count);
        }
    }

    Percentiles percentiles() {
        Histogram first = verdicts.getTotalCount() == 0 ? finals : verdicts;
        return new Percentiles(
                first.getValueAtPercentile(50),
                first.getValueAtPercentile(99),
                finals.getValueAtPercentile(50) / 1_000,
                finals.getValueAtPercentile(99) / 1_000,
                setRight.getValueAtPercentile(50) / 1_000,
                setRight.getValueAtPercentile(99) / 1_000,
                late.getValueAtPercentile(50) / 1_000,
                late.getValueAtPercentile(99) / 1_000);
    }
}
