package io.nightjar.jobs.watch;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySlice;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;

/** What has arrived and is not checked yet. */
final class ArrivalQueue implements ArrivalSink {

    static final int MAX_SLICES = 8;
    private static final int MIN_SLICES = 2;
    private static final long BYTES_OF_SLICE = 2 << 20;

    private final ArrayBlockingQueue<Arrival> arrivals;
    private final DeadLetterLog letters;
    private volatile boolean isClosed;

    /** @param maxBytes what slices of usual size may take */
    ArrivalQueue(DeadLetterLog letters, long maxBytes) {
        this.letters = letters;
        this.arrivals =
                new ArrayBlockingQueue<>((int) Math.max(MIN_SLICES, Math.min(MAX_SLICES, maxBytes / BYTES_OF_SLICE)));
    }

    @Override
    public void put(HistorySlice slice, RowFeed feed, FeedPosition position) throws InterruptedException {
        arrivals.put(new Arrival(slice, WatchClock.micros(), feed, position));
    }

    /** Returns what arrived first, or null if nothing does in time. */
    Arrival poll(long nanos) throws InterruptedException {
        return arrivals.poll(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public BadRowHandler badRows() {
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
