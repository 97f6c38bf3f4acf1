package io.nightjar.jobs.http;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Bounded pool of threads, one for each request, that clients cannot block by sending nothing. */
final class RequestThreads implements Executor, AutoCloseable {

    /*
     * Definitions. A request waits for its client while it reads its head or body, or writes its response (ClientWait).
     *
     * Algorithm. A watchdog closes connections
     *   - whose present wait exceeds its limit;
     *   - while requests are queued: as many as are queued, those with the longest total wait, if that is at least a
     *   second.
     *
     * Invariant. A thread is soon assigned to a queued request, unless all threads are busy with work of this program.
     */

    private static final long PERIOD_MILLIS = 250;
    private static final long MIN_CROWDED_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long KEEP_SECONDS = 30;

    private final ThreadPoolExecutor threads;
    private final ScheduledExecutorService watchdog;
    private final Map<Thread, ClientWait> running = new ConcurrentHashMap<>();

    RequestThreads(String name, int maxThreads) {
        this.threads = new ThreadPoolExecutor(
                maxThreads,
                maxThreads,
                KEEP_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> daemon(task, name));
        threads.allowCoreThreadTimeOut(true);
        this.watchdog = Executors.newSingleThreadScheduledExecutor(task -> daemon(task, name + "-watchdog"));
        watchdog.scheduleWithFixedDelay(this::closeOverdue, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void execute(Runnable request) {
        threads.execute(() -> run(request));
    }

    private void run(Runnable request) {
        Thread thread = Thread.currentThread();
        ClientWait wait = new ClientWait(thread, System.nanoTime());
        running.put(thread, wait);
        try {
            request.run();
        } finally {
            running.remove(thread);
            wait.end();
        }
    }

    /** Returns the wait of the request that the current thread runs; null outside of requests. */
    @Nullable
    ClientWait current() {
        return running.get(Thread.currentThread());
    }

    private void closeOverdue() {
        long now = System.nanoTime();
        for (ClientWait wait : running.values()) {
            if (wait.isOverdue(now)) {
                wait.close();
            }
        }
        int queued = threads.getQueue().size();
        if (queued > 0) {
            List<ClientWait> waits = running.values().stream()
                    .filter(wait -> wait.total(now) > MIN_CROWDED_NANOS)
                    .sorted(Comparator.comparingLong((ClientWait wait) -> wait.total(now))
                            .reversed())
                    .limit(queued)
                    .toList();
            waits.forEach(ClientWait::close);
        }
    }

    @Override
    public void close() {
        watchdog.shutdownNow();
        threads.shutdownNow();
    }
}
