package io.nightjar.jobs.watch;

import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Reporter of the state of a watch at regular times: to the listener, the page and the tables. */
final class StatusReporter {

    private static final long STATUS_MICROS = 1_000_000;
    private static final long INTERVAL_MICROS = 10_000_000;

    private final LongFunction<WatchStatus> source;
    private final Runnable endOfInterval;
    private final WatchListener listener;
    private final LiveTables tables;
    private final @Nullable WatchPage page; // null for none
    private long last;
    private long nextInterval;

    /**
     * @param source returns the state at a time
     * @param endOfInterval run when an interval of the tables has ended
     */
    StatusReporter(
            LongFunction<WatchStatus> source,
            Runnable endOfInterval,
            WatchListener listener,
            LiveTables tables,
            @Nullable WatchPage page) {
        this.source = source;
        this.endOfInterval = endOfInterval;
        this.listener = listener;
        this.tables = tables;
        this.page = page;
    }

    void reportIfDue() {
        long now = WatchClock.micros();
        if (now - last < STATUS_MICROS) {
            return;
        }
        WatchStatus status = source.apply(now);
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

    private void publish(WatchStatus status) {
        tables.publish(status);
        endOfInterval.run();
    }

    /** Ends the last interval of the tables. */
    void publish() {
        publish(source.apply(WatchClock.micros()));
    }
}
