package io.nightjar.jobs.watch;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.InputError;
import io.nightjar.jobs.read.DeadLetters.DeadLetter;
import io.nightjar.jobs.read.ParallelScan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Threads that run feeds, one for each, and the bounded queue of their arrivals. */
final class FeedThreads {

    static final int MAX_SLICES = 8;
    private static final int MIN_SLICES = 2;
    private static final long BYTES_OF_SLICE = 2 << 20;

    private final List<RowFeed> feeds;
    private final Runnable whenThere;
    private final ArrayBlockingQueue<Arrival> arrivals;
    private final List<Thread> threads = new CopyOnWriteArrayList<>(); // a signal may stop them as they start
    private final AtomicInteger ended = new AtomicInteger();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile boolean isClosed;

    /**
     * @param maxBytes memory of the queue, if slices have their usual size
     * @param whenThere run by another thread when an arrival is available, or a source has ended
     */
    FeedThreads(List<RowFeed> feeds, long maxBytes, Runnable whenThere) {
        this.feeds = List.copyOf(feeds);
        this.whenThere = whenThere;
        this.arrivals =
                new ArrayBlockingQueue<>((int) Math.max(MIN_SLICES, Math.min(MAX_SLICES, maxBytes / BYTES_OF_SLICE)));
    }

    void start() {
        for (RowFeed feed : feeds) {
            Thread thread = new Thread(() -> feed(feed), "watch-" + feed.name());
            thread.setDaemon(true);
            threads.add(thread);
        }
        threads.forEach(Thread::start);
    }

    private void feed(RowFeed feed) {
        try {
            Inbox inbox = new Inbox(feed.isResumable());
            feed.run(inbox);
            inbox.put(null, null);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException | Error failed) {
            if (!isClosed) {
                failure.compareAndSet(null, failed);
            }
        } finally {
            ended.incrementAndGet();
            whenThere.run();
        }
    }

    /** The queue as one feed sees it. */
    private final class Inbox implements ArrivalSink {

        private final boolean isResumable;
        private List<DeadLetter> letters = new ArrayList<>(); // since the last arrival; guarded by this

        Inbox(boolean isResumable) {
            this.isResumable = isResumable;
        }

        @Override
        public void put(@Nullable HistorySlice slice, @Nullable FeedPosition position) throws InterruptedException {
            List<DeadLetter> bad = takeLetters();
            if (slice != null || !bad.isEmpty()) {
                arrivals.put(new Arrival(slice, WatchClock.micros(), isResumable ? position : null, bad));
                whenThere.run();
            }
        }

        private synchronized List<DeadLetter> takeLetters() {
            List<DeadLetter> bad = letters;
            letters = new ArrayList<>();
            return bad;
        }

        private synchronized void addLetter(String file, long row, InputError fault, @Nullable String rawText) {
            letters.add(new DeadLetter(file, row, fault, rawText));
        }

        @Override
        public BadRowHandler badRows() {
            return this::addLetter;
        }

        @Override
        public boolean isClosed() {
            return isClosed;
        }
    }

    /** Removes and returns the first arrival; null if none arrives in time. */
    @Nullable
    Arrival poll(long nanos) throws InterruptedException {
        return arrivals.poll(nanos, TimeUnit.NANOSECONDS);
    }

    boolean isEmpty() {
        return arrivals.isEmpty();
    }

    /** Stops all feeds; any thread may call it. */
    void stop() {
        isClosed = true;
        feeds.forEach(RowFeed::close);
        threads.forEach(Thread::interrupt);
    }

    /** Returns whether all feeds have ended. */
    boolean areDone() {
        return ended.get() == feeds.size();
    }

    /** Throws the failure of a feed, if any. */
    void check() throws IOException {
        ParallelScan.rethrow(failure.get());
    }
}
