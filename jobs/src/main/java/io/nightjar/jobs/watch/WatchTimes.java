package io.nightjar.jobs.watch;

import org.HdrHistogram.Histogram;

/** How long verdicts took: from arrival to the first, from arrival to the final one, and until a flip was set right. */
public final class WatchTimes {

    private static final long LONGEST_MICROS = 24L * 3_600 * 1_000_000;

    private final Histogram verdicts = new Histogram(LONGEST_MICROS, 2);
    private final Histogram finals = new Histogram(LONGEST_MICROS, 2);
    private final Histogram setRight = new Histogram(LONGEST_MICROS, 2);

    /** Percentiles so far; 0 where there was nothing. */
    record Percentiles(
            long verdictP50Micros,
            long verdictP99Micros,
            long finalP50Millis,
            long finalP99Millis,
            long setRightP50Millis,
            long setRightP99Millis) {}

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

    private static void record(Histogram histogram, long micros, long count) {
        if (count > 0) {
            histogram.recordValueWithCount(Math.max(0, Math.min(LONGEST_MICROS, micros)), count);
        }
    }

    Percentiles percentiles() {
        return new Percentiles(
                verdicts.getValueAtPercentile(50),
                verdicts.getValueAtPercentile(99),
                finals.getValueAtPercentile(50) / 1_000,
                finals.getValueAtPercentile(99) / 1_000,
                setRight.getValueAtPercentile(50) / 1_000,
                setRight.getValueAtPercentile(99) / 1_000);
    }
}
