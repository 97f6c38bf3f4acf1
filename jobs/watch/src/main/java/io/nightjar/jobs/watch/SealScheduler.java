package io.nightjar.jobs.watch;

/** Says what time it is for rows that may have waited, and seals up to where the watermark is then. */
public final class SealScheduler {

    /*
     * Where more waits than can be taken at once, time is that of what was taken last. It does not pass while this process
     * stood still, since senders did not wait for it. While there is no room it passes in small steps, until enough is
     * sealed: neighbours of what was taken last are still to come.
     *
     * What comes before the watermark is sealed with the next step of it. Where nothing follows that would move it, a moment
     * of silence is enough: else nobody heard of what is wrong with it before the watch ends.
     */

    private static final long MAX_STEP_MICROS = 2_000_000;
    private static final long STEP_WHILE_WAITING_MICROS = 250_000;
    private static final long MIN_SEAL_MICROS = 20_000;

    /** For how long nothing arrives before what came late is sealed without a step of the watermark. */
    public static final long LATE_SILENCE_MICROS = 1_000_000;

    private final ArrivalQueue inbox;
    private final Watermark watermark;
    private final ParallelOnlineCheck online;
    private final ArrivalProcessor intake;
    private long time = Long.MIN_VALUE;
    private long nextSeal;
    private boolean isWaiting;

    SealScheduler(ArrivalQueue inbox, Watermark watermark, ParallelOnlineCheck online, ArrivalProcessor intake) {
        this.inbox = inbox;
        this.watermark = watermark;
        this.online = online;
        this.intake = intake;
    }

    /** Whether nothing is taken for want of room. */
    void waits(boolean isOn) {
        isWaiting = isOn;
    }

    /** Seals from time to time; returns whether it did. */
    boolean sealIfDue() {
        long now = WatchClock.micros();
        if (now < nextSeal) {
            return false;
        }
        seal(now, online.hasLate() && now - intake.lastArrival() >= LATE_SILENCE_MICROS);
        long took = WatchClock.micros() - now;
        nextSeal = now + stepMicros(took);
        return true;
    }

    /**
     * Returns the time from the beginning of a seal to that of the next one. Sealing is most of the check, so a long pause
     * would lengthen the next seal.
     *
     * @param took duration of the seal
     */
    public static long stepMicros(long took) {
        return Math.max(MIN_SEAL_MICROS, took + took / 2);
    }

    void sealNow() {
        seal(WatchClock.micros(), online.hasLate());
    }

    private void seal(long now, boolean withLate) {
        long upTo = watermark.at(time(now));
        if (upTo > online.watermark() || withLate) {
            online.seal(upTo);
            intake.noteSealed();
        }
    }

    private long time(long now) {
        long last = Math.max(time, intake.lastArrival());
        if (isWaiting) {
            time = last + STEP_WHILE_WAITING_MICROS;
            return time;
        }
        long reached = inbox.isEmpty() ? now : intake.lastArrival();
        time = Math.max(time, Math.min(reached, last + MAX_STEP_MICROS));
        return time;
    }
}
