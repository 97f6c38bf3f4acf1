package io.nightjar.jobs.watch;

import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.jobs.watch.LiveCounts.Count;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reporter of the state of a watch at regular times: to the listener, the page and the tables. */
final class StatusReporter {

    private final List<IsolationLevel> levels;
    private final WatchPipeline watch;
    private final ReportedFindings reported;
    private final LatencyStatistics times;
    private final WatchListener listener;
    private final LiveTables tables;
    private final @Nullable WatchPage page; // null for none
    private final StatusPace pace = new StatusPace(WatchClock.micros());

    StatusReporter(
            List<IsolationLevel> levels,
            WatchPipeline watch,
            ReportedFindings reported,
            LatencyStatistics times,
            WatchListener listener,
            LiveTables tables,
            @Nullable WatchPage page) {
        this.levels = levels;
        this.watch = watch;
        this.reported = reported;
        this.times = times;
        this.listener = listener;
        this.tables = tables;
        this.page = page;
    }

    /** Continues after a restart: transactions consumed before do not count for the rate. */
    void resume() {
        pace.resumeAfter(watch.online().txnCount());
    }

    void reportIfDue() {
        long now = WatchClock.micros();
        if (pace.isDue(now)) {
            WatchStatus status = status(now);
            pace.statusWritten(now, watch.online().txnCount());
            listener.status(status);
            if (page != null) {
                page.show(status);
            }
            if (pace.isIntervalOver(now)) {
                publish(status);
            }
        }
    }

    private void publish(WatchStatus status) {
        tables.publish(status);
        times.beginInterval();
    }

    /** Ends the last interval of the tables. */
    void publish() {
        publish(status(WatchClock.micros()));
    }

    private WatchStatus status(long now) {
        LiveCounts counts = watch.intake().counts();
        Map<IsolationLevel, Map<Anomaly, Long>> findings = new EnumMap<>(IsolationLevel.class);
        levels.forEach(level -> findings.put(level, reported.counts(level)));
        long sealedTo = watch.online().watermark();
        Runtime runtime = Runtime.getRuntime();
        return new WatchStatus(
                pace.seconds(now),
                new WatchStatus.Progress(
                        pace.perSecond(now, watch.online().txnCount()),
                        sealedTo == Long.MAX_VALUE ? watch.watermark().largest() : sealedTo,
                        watch.intake().lagMicros(now) / 1_000),
                counts.arrived(
                        reported.correctedCount(),
                        Count.TOO_LATE,
                        watch.letters().count()),
                new WatchStatus.Judged(counts.get(Count.PROVISIONAL), counts.get(Count.FLIPS), findings),
                new WatchStatus.Storage(
                        runtime.totalMemory() - runtime.freeMemory(),
                        watch.kept().bytes()),
                times.percentiles(),
                watch.watermark().heldBack(now));
    }
}
