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

    private static final long STATUS_MICROS = 1_000_000;
    private static final long INTERVAL_MICROS = 10_000_000;
    private static final long RATE_ENDS_MICROS = 30_000_000; // counts of tasks change with their checkpoints

    private final List<IsolationLevel> levels;
    private final WatchEngine state;
    private final ReportedFindings reported;
    private final DeadLetterLog letters;
    private final RowArchive kept;
    private final WatchListener listener;
    private final LiveTables tables;
    private final @Nullable WatchPage page; // null for none
    private final long start = WatchClock.micros();
    private long last;
    private long nextInterval;
    private long lastTxns;
    private long lastChange = start;
    private double txnsPerSecond;

    StatusReporter(
            List<IsolationLevel> levels,
            WatchEngine state,
            ReportedFindings reported,
            DeadLetterLog letters,
            RowArchive kept,
            WatchListener listener,
            LiveTables tables,
            @Nullable WatchPage page) {
        this.levels = levels;
        this.state = state;
        this.reported = reported;
        this.letters = letters;
        this.kept = kept;
        this.listener = listener;
        this.tables = tables;
        this.page = page;
    }

    /** Continues after a restart: transactions consumed before do not count for the rate. */
    void resume() {
        lastTxns = state.counts().get(Count.TRANSACTIONS);
    }

    void reportIfDue() {
        long now = WatchClock.micros();
        if (now - last < STATUS_MICROS) {
            return;
        }
        WatchStatus status = status(now);
        last = now;
        listener.status(status);
        if (page != null) {
            page.show(status);
        }
        if (now >= nextInterval) {
            nextInterval = now + INTERVAL_MICROS;
            publish(status);
        }
    }

    private WatchStatus status(long now) {
        LiveCounts all =
                state.counts().set(Count.CORRECTED, reported.correctedCount()).set(Count.DEAD_LETTERS, letters.count());
        recordRate(all.get(Count.TRANSACTIONS), now);
        Map<IsolationLevel, Map<Anomaly, Long>> findings = new EnumMap<>(IsolationLevel.class);
        levels.forEach(level -> findings.put(level, reported.counts(level)));
        Runtime runtime = Runtime.getRuntime();
        return new WatchStatus(
                (now - start) / 1e6,
                txnsPerSecond,
                state.shownWatermark(),
                all,
                findings,
                runtime.totalMemory() - runtime.freeMemory(),
                kept.bytes());
    }

    private void recordRate(long txns, long now) {
        if (txns != lastTxns) {
            txnsPerSecond = Math.max(0, txns - lastTxns) * 1e6 / Math.max(1, now - lastChange);
            lastTxns = txns;
            lastChange = now;
        } else if (now - lastChange > RATE_ENDS_MICROS) {
            txnsPerSecond = 0;
        }
    }

    private void publish(WatchStatus status) {
        tables.publish(status);
        state.beginInterval();
    }

    /** Ends the last interval of the tables. */
    void publish() {
        publish(status(WatchClock.micros()));
    }
}
