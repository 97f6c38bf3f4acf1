package io.nightjar.jobs.watch;

import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.HistorySlice;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;

/** What has arrived and is not checked yet. */
final class ArrivalQueue implements Inbox {

    static final int MOST_SLICES = 8;

    private final ArrayBlockingQueue<Arrival> arrivals = new ArrayBlockingQueue<>(MOST_SLICES);
    private final WatchLetters letters;
    private volatile boolean isClosed;

    ArrivalQueue(WatchLetters letters) {
        this.letters = letters;
    }

    @Override
    public void put(HistorySlice slice, RowFeed feed, FeedPosition position) throws InterruptedException {
        arrivals.put(new Arrival(slice, WatchClock.micros(), feed, position));
    }

    /** What arrived first, or null if nothing does in time. */
    Arrival poll(long nanos) throws InterruptedException {
        return arrivals.poll(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public BadRows badRows() {
        return letters;
    }

    /** Says to feeds that nothing more is wanted. */
    void close() {
        isClosed = true;
    }

    @Override
    public boolean isClosed() {
        return isClosed;
    }

    boolean isEmpty() {
        return arrivals.isEmpty();
    }
}
