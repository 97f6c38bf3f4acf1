package io.nightjar.jobs.watch;

import java.time.Instant;

/** The time of day in microseconds since 1970, which never goes back while the process runs. */
public final class WatchClock {

    private static final long START_NANOS = System.nanoTime();
    private static final long START_MICROS = micros(Instant.now());

    private WatchClock() {}

    public static long micros() {
        return START_MICROS + (System.nanoTime() - START_NANOS) / 1_000;
    }

    static Instant instant(long micros) {
        return Instant.ofEpochSecond(Math.floorDiv(micros, 1_000_000), Math.floorMod(micros, 1_000_000) * 1_000L);
    }

    private static long micros(Instant time) {
        return time.getEpochSecond() * 1_000_000 + time.getNano() / 1_000;
    }
}
