package io.nightjar.jobs.check;

import io.nightjar.jobs.read.ParallelScan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Threads that each receive every item, in the order of submission, and do their own part of the work on it.
 *
 * @param <T> the items
 */
final class OrderedBroadcast<T> implements AutoCloseable {

    /** Maximum number of items that wait for a thread: as few as keep it busy, since they are held in memory. */
    private static final int WAITING = 3;

    private static final int POLL_MS = 20;

    private static final Object END = new Object();

    private final List<BlockingQueue<Object>> queues = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    /** Processes an item in one thread. */
    interface Work<T> {
        void on(int thread, T item);
    }

    /** Runs in each thread after the last item. */
    interface End {
        void of(int thread);
    }

    OrderedBroadcast(int count, Work<T> work, End end) {
        for (int i = 0; i < count; i++) {
            int number = i;
            BlockingQueue<Object> queue = new ArrayBlockingQueue<>(WAITING);
            Thread thread = new Thread(() -> work(number, queue, work, end), "sweep-" + i);
            thread.setDaemon(true);
            queues.add(queue);
            threads.add(thread);
        }
        threads.forEach(Thread::start);
    }

    /** Passes an item to each thread; waits while a thread has too many. */
    void give(T item) throws IOException {
        for (BlockingQueue<Object> queue : queues) {
            put(queue, item);
        }
    }

    /** Ends the input; returns when all is done. */
    void awaitEnd() throws IOException {
        for (BlockingQueue<Object> queue : queues) {
            put(queue, END);
        }
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException interrupted) {
            throw interrupted(interrupted);
        }
        ParallelScan.rethrow(failure.get());
    }

    private void put(BlockingQueue<Object> queue, Object item) throws IOException {
        try {
            while (!queue.offer(item, POLL_MS, TimeUnit.MILLISECONDS)) {
                ParallelScan.rethrow(failure.get());
            }
        } catch (InterruptedException interrupted) {
            throw interrupted(interrupted);
        }
    }

    private static IOException interrupted(InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return new IOException("interrupted while checking", interrupted);
    }

    @SuppressWarnings("unchecked")
    private void work(int number, BlockingQueue<Object> queue, Work<T> work, End end) {
        try {
            Object item = queue.take();
            while (item != END) {
                work.on(number, (T) item);
                item = queue.take();
            }
            end.of(number);
        } catch (InterruptedException stopped) {
            return; // the pass was canceled and reports why
        } catch (Throwable thrown) {
            failure.compareAndSet(null, thrown);
        }
    }

    /** Stops unfinished work. */
    @Override
    public void close() throws IOException {
        threads.forEach(Thread::interrupt);
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException interrupted) {
            throw interrupted(interrupted);
        }
    }
}
