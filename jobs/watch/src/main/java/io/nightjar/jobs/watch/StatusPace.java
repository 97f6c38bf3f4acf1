package io.nightjar.jobs.watch;

/** When the state of a watch is told, and how fast it was since. */
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

    /** Continues behind the given number of transactions, which an earlier watch took. */
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

    /** Whether an interval of the tables ends now; the next one begins. */
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

    /** Transactions a second since the state was told last. */
    double perSecond(long now, long txns) {
        double since = (now - (last == 0 ? begun : last)) / 1e6;
        return since <= 0 ? 0 : (txns - lastTxns) / since;
    }
}
