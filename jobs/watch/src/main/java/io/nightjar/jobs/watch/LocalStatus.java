package io.nightjar.jobs.watch;

import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.watch.LiveCounts.Count;
import java.util.List;

/** The state of a watch in this process, with the rate since it was last asked for. */
final class LocalStatus {

    private final List<IsolationLevel> levels;
    private final WatchPipeline watch;
    private final ReportedFindings reported;
    private final LatencyStatistics times;
    private final long begun = WatchClock.micros();
    private long last = begun;
    private long lastTxns;

    LocalStatus(List<IsolationLevel> levels, WatchPipeline watch, ReportedFindings reported, LatencyStatistics times) {
        this.levels = levels;
        this.watch = watch;
        this.reported = reported;
        this.times = times;
    }

    /** Continues after a restart: transactions consumed before do not count for the rate. */
    void resume() {
        lastTxns = watch.online().txnCount();
    }

    WatchStatus at(long now) {
        LiveCounts counts = watch.intake().counts();
        long sealedTo = watch.online().watermark();
        long txns = watch.online().txnCount();
        double perSecond = now <= last ? 0 : (txns - lastTxns) * 1e6 / (now - last);
        last = now;
        lastTxns = txns;
        return new WatchStatus(
                (now - begun) / 1e6,
                new WatchStatus.Progress(
                        perSecond,
                        sealedTo == Long.MAX_VALUE ? watch.watermark().largest() : sealedTo,
                        watch.intake().lagMicros(now) / 1_000),
                counts.arrived(
                        reported.correctedCount(),
                        Count.TOO_LATE,
                        watch.letters().count()),
                reported.judged(levels, counts),
                WatchStatus.Storage.of(watch.kept().bytes()),
                times.percentiles(),
                watch.watermark().heldBack(now));
    }
}
