package io.nightjar.jobs.watch;

/** Schedule of status reports, with the rate since the last report. */
final class StatusPace {

    private static final long STATUS_MICROS = 1_000_000;
    private static final long INTERVAL_MICROS = 10_000_000;

    private final long begun;
    private long last;
    private long lastTxns;
    private long nextInterval;

    StatusPace(long nowMicros) {
        this.begun = nowMicros;
    }

    /** Continues after the given number of transactions, which an earlier process consumed. */
    void resumeAfter(long txns) {
        lastTxns = txns;
    }

    boolean isDue(long now) {
        return now - last >= STATUS_MICROS;
    }

    void statusWritten(long now, long txns) {
        last = now;
        lastTxns = txns;
    }

    /** Returns whether an interval of the tables ends now; starts the next one. */
    boolean isIntervalOver(long now) {
        if (now < nextInterval) {
            return false;
        }
        nextInterval = now + INTERVAL_MICROS;
        return true;
    }

    double seconds(long now) {
        return (now - begun) / 1e6;
    }

    /** Returns the transactions per second since the last report. */
    double perSecond(long now, long txns) {
        double since = (now - (last == 0 ? begun : last)) / 1e6;
        return since <= 0 ? 0 : (txns - lastTxns) / since;
    }
}
