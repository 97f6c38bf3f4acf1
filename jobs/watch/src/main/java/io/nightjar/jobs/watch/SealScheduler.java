package io.nightjar.jobs.watch;

/** Scheduler of sealing: determines the current time for the watermark, and seals up to it. */
public final class SealScheduler {

    /*
     * Algorithm. While more arrivals wait than can be consumed at once, the time is that of the last consumed arrival.
     * It does not advance while this process was suspended, since senders did not wait for it. While reading waits for
     * memory, the time advances in small steps until enough is sealed: transactions close to the last consumed one may
     * still arrive.
     *
     * A late row is sealed with the next step of the watermark. If no arrival advances the watermark, the row is sealed
     * after LATE_SILENCE_MICROS; otherwise its anomalies would be reported only at the end of the watch.
     */

    private static final long MAX_STEP_MICROS = 2_000_000;
    private static final long STEP_WHILE_WAITING_MICROS = 250_000;
    private static final long MIN_SEAL_MICROS = 20_000;

    /** Time without arrivals after which late rows are sealed without a step of the watermark. */
    public static final long LATE_SILENCE_MICROS = 1_000_000;

    private final FeedRunner feeds;
    private final Watermark watermark;
    private final LocalWatch watch;
    private long time = Long.MIN_VALUE;
    private long nextSeal;
    private boolean isWaiting;

    SealScheduler(FeedRunner feeds, Watermark watermark, LocalWatch watch) {
        this.feeds = feeds;
        this.watermark = watermark;
        this.watch = watch;
    }

    /** Sets whether reading waits for memory. */
    void waits(boolean isOn) {
        isWaiting = isOn;
    }

    /** Seals if the pause is over. */
    void sealIfDue() {
        long now = WatchClock.micros();
        if (now >= nextSeal) {
            seal(now, watch.hasLate() && now - watch.lastArrival() >= LATE_SILENCE_MICROS);
            long took = WatchClock.micros() - now;
            nextSeal = now + stepMicros(took);
        }
    }

    /**
     * Returns the time from the beginning of a seal to that of the next one. Sealing is most of the check, so a long
     * pause would lengthen the next seal.
     *
     * @param took duration of the seal
     */
    public static long stepMicros(long took) {
        return Math.max(MIN_SEAL_MICROS, took + took / 2);
    }

    void sealNow() {
        seal(WatchClock.micros(), watch.hasLate());
    }

    private void seal(long now, boolean withLate) {
        long upTo = watermark.at(time(now));
        if (upTo > watch.watermark() || withLate) {
            watch.seal(upTo);
        }
    }

    private long time(long now) {
        long last = Math.max(time, watch.lastArrival());
        if (isWaiting) {
            time = last + STEP_WHILE_WAITING_MICROS;
            return time;
        }
        long reached = feeds.isEmpty() ? now : watch.lastArrival();
        time = Math.max(time, Math.min(reached, last + MAX_STEP_MICROS));
        return time;
    }
}
