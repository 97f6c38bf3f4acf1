package io.nightjar.jobs.read;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.HistorySource.Split;
import io.nightjar.formats.history.SliceReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Reads a source once: splits are read and worked on by several threads, results arrive in the order of the rows.
 *
 * @param <R> the result of the work on a slice
 */
public final class ParallelScan<R> {

    /** Maximum distance of a thread from the consumer, in slices of its split. */
    private static final int SLICES_AHEAD = 5;

    /** A source with so few bytes is read on the calling thread. */
    private static final long SMALL = 1 << 18;

    private static final int POLL_MS = 20;

    private static final Object END = new Object();

    private final HistorySource source;
    private final Set<ColumnGroup> columns;
    private final BadRowHandler badRows;
    private final int threadCount;
    private int consumedSplits; // guarded by this

    public ParallelScan(HistorySource source, Set<ColumnGroup> columns, BadRowHandler badRows, int threadCount) {
        this.source = source;
        this.columns = columns;
        this.badRows = badRows;
        this.threadCount = Math.max(1, Math.min(threadCount, source.splits().size()));
    }

    /** Reads all rows; returns when all of them were consumed. */
    public void run(ScanPass<R> reading) throws IOException {
        long bytes = 0;
        for (Split split : source.splits()) {
            bytes += split.byteCount();
        }
        if (bytes <= SMALL) {
            runHere(reading);
        } else {
            runOnThreads(reading);
        }
    }

    private void runHere(ScanPass<R> reading) throws IOException {
        ScanPass.Work<R> work = reading.newWork();
        for (int split = 0; split < source.splits().size() && !reading.isOver(); split++) {
            try (SliceReader reader = source.open(split, columns, badRows)) {
                HistorySlice slice = reader.next();
                while (slice != null && !reading.isOver()) {
                    reading.take(work.on(slice));
                    slice = reader.next();
                }
            }
        }
    }

    private void runOnThreads(ScanPass<R> reading) throws IOException {
        int splitCount = source.splits().size();
        List<BlockingQueue<Object>> queues = new ArrayList<>(splitCount);
        for (int split = 0; split < splitCount; split++) {
            queues.add(new ArrayBlockingQueue<>(SLICES_AHEAD));
        }
        AtomicInteger nextSplit = new AtomicInteger();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>(threadCount);
        for (int i = 0; i < threadCount; i++) {
            ScanPass.Work<R> work = reading.newWork();
            Thread thread = new Thread(() -> readSplits(nextSplit, queues, reading, work, failure), "read-" + i);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        try {
            for (int split = 0; split < splitCount && !reading.isOver(); split++) {
                drain(queues.get(split), reading, failure);
                consumed(split);
            }
            for (Thread thread : threads) {
                join(thread, queues, reading);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while reading: " + source.uri(), interrupted);
        } finally {
            threads.forEach(Thread::interrupt);
        }
        if (!reading.isOver()) {
            rethrow(failure.get());
        }
    }

    private void readSplits(
            AtomicInteger nextSplit,
            List<BlockingQueue<Object>> queues,
            ScanPass<R> reading,
            ScanPass.Work<R> work,
            AtomicReference<Throwable> failure) {
        int split = nextSplit.getAndIncrement();
        while (split < queues.size() && failure.get() == null && !reading.isOver()) {
            BlockingQueue<Object> queue = queues.get(split);
            try (SliceReader reader = openInTurn(split)) {
                HistorySlice slice = reader.next();
                while (slice != null && !reading.isOver()) {
                    queue.put(work.on(slice));
                    slice = reader.next();
                }
                queue.put(END);
            } catch (InterruptedException stopped) {
                return; // the consumer was canceled and has the reason
            } catch (Throwable thrown) {
                failure.compareAndSet(null, thrown);
                return;
            }
            split = nextSplit.getAndIncrement();
        }
    }

    /** Waits for a reader; later results in its queue are dropped, so that it can end. */
    private void join(Thread thread, List<BlockingQueue<Object>> queues, ScanPass<R> reading)
            throws InterruptedException {
        if (!reading.isOver()) {
            thread.join();
            return;
        }
        consumed(queues.size());
        while (thread.isAlive()) {
            queues.forEach(BlockingQueue::clear);
            thread.join(POLL_MS);
        }
    }

    /** Waits until few enough splits are between this split and the consumer, however small they are. */
    private SliceReader openInTurn(int split) throws IOException, InterruptedException {
        synchronized (this) {
            while (split > consumedSplits + threadCount) {
                wait();
            }
        }
        return source.open(split, columns, badRows);
    }

    private synchronized void consumed(int split) {
        consumedSplits = split + 1;
        notifyAll();
    }

    @SuppressWarnings("unchecked")
    private void drain(BlockingQueue<Object> queue, ScanPass<R> reading, AtomicReference<Throwable> failure)
            throws InterruptedException, IOException {
        while (!reading.isOver()) {
            Object result = queue.poll(POLL_MS, TimeUnit.MILLISECONDS);
            if (result == END) {
                return;
            }
            if (result != null) {
                reading.take((R) result);
            } else if (failure.get() != null && queue.isEmpty()) {
                rethrow(failure.get());
            }
        }
    }

    /** Throws the failure of a thread. */
    public static void rethrow(@Nullable Throwable failure) throws IOException {
        if (failure == null) {
            return;
        }
        if (failure instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof IOException io) {
            throw io;
        }
        throw new UncheckedIOException(new IOException(failure));
    }
}
