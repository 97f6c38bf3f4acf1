package io.nightjar.jobs.watch;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

/** Threads that run feeds, one for each. */
final class FeedThreads {

    private final List<RowFeed> feeds;
    private final ArrivalQueue inbox;
    private final List<Thread> threads = new CopyOnWriteArrayList<>(); // a signal may stop them as they start
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    FeedThreads(List<RowFeed> feeds, ArrivalQueue inbox) {
        this.feeds = List.copyOf(feeds);
        this.inbox = inbox;
    }

    List<RowFeed> all() {
        return feeds;
    }

    /** Returns whether the feed that reads a file can resume after a restart. */
    boolean isReadOn(String file) {
        return feeds.stream().anyMatch(feed -> feed.isResumable() && file.startsWith(feed.name()));
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
            feed.run(inbox);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException | Error failed) {
            if (!inbox.isClosed()) {
                failure.compareAndSet(null, failed);
            }
        }
    }

    /** Stops all feeds; any thread may call it. */
    void stop() {
        inbox.close();
        feeds.forEach(RowFeed::close);
        threads.forEach(Thread::interrupt);
    }

    /** Returns whether all feeds have ended. */
    boolean areDone() {
        return threads.stream().noneMatch(Thread::isAlive);
    }

    /** Throws the failure of a feed, if any. */
    void check() throws IOException {
        Throwable failed = failure.get();
        if (failed instanceof IOException io) {
            throw io;
        } else if (failed instanceof RuntimeException runtime) {
            throw runtime;
        } else if (failed instanceof Error error) {
            throw error;
        }
    }
}
