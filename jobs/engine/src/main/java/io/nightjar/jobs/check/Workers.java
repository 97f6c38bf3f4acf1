package io.nightjar.jobs.check;

import io.nightjar.jobs.read.ParallelScan;
import io.nightjar.pipeline.primitive.ParallelTasks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * Executes numbered tasks on a few threads, including the calling thread; the first failure stops the rest and is
 * thrown.
 */
final class Workers {

    private Workers() {}

    /** The work on one piece, by number. */
    @FunctionalInterface
    interface Work {
        void run(int number) throws IOException;
    }

    static void run(int threadCount, int count, Work work) throws IOException {
        Worker here = new Worker(count, work, new AtomicInteger(), new AtomicReference<>());
        List<Thread> helpers = new ArrayList<>();
        for (int i = 1; i < threadCount; i++) {
            Thread helper = new Thread(here, "check-" + i);
            helper.setDaemon(true);
            helper.start();
            helpers.add(helper);
        }
        here.run();
        try {
            for (Thread helper : helpers) {
                helper.join();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while checking", interrupted);
        }
        ParallelScan.rethrow(here.failure.get());
    }

    /** Returns threads that execute tasks, including the calling thread. */
    static ParallelTasks helpers(int threadCount) {
        return threadCount <= 1 ? ParallelTasks.NONE : new OnThreads(threadCount);
    }

    /** Each thread has one worker, which takes the next task until none is left. */
    private record OnThreads(int count) implements ParallelTasks {

        @Override
        public void run(int maxThreads, int pieces, Supplier<IntConsumer> newWorker) {
            int threads = Math.min(Math.min(count, maxThreads), pieces);
            AtomicInteger next = new AtomicInteger();
            try {
                Workers.run(threads, threads, thread -> {
                    try {
                        IntConsumer worker = newWorker.get();
                        int piece = next.getAndIncrement();
                        while (piece < pieces) {
                            worker.accept(piece);
                            piece = next.getAndIncrement();
                        }
                    } finally {
                        next.set(pieces); // once one failed, the others need not continue
                    }
                });
            } catch (IOException interrupted) {
                throw new UncheckedIOException(interrupted);
            }
        }
    }

    /** Takes the next number until none is left or a task failed; every thread does the same. */
    private record Worker(int count, Work work, AtomicInteger next, AtomicReference<Throwable> failure)
            implements Runnable {

        @Override
        public void run() {
            int number = next.getAndIncrement();
            while (number < count && failure.get() == null) {
                try {
                    work.run(number);
                } catch (Throwable thrown) {
                    failure.compareAndSet(null, thrown);
                }
                number = next.getAndIncrement();
            }
        }
    }
}
