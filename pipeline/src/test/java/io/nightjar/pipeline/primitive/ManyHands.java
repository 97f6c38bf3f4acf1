package io.nightjar.pipeline.primitive;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/** Helpers that make pieces of the least work, and take them from the last to the first on threads of their own. */
public record ManyHands(int count) implements ParallelTasks {

    @Override
    public int pieces(long steps) {
        return PIECES_EACH * count;
    }

    @Override
    public void run(int maxThreads, int pieces, Supplier<IntConsumer> newWorker) {
        AtomicInteger left = new AtomicInteger(pieces);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Thread thread = new Thread(() -> {
                IntConsumer worker = newWorker.get();
                for (int piece = left.decrementAndGet(); piece >= 0; piece = left.decrementAndGet()) {
                    worker.accept(piece);
                }
            });
            thread.setUncaughtExceptionHandler((of, thrown) -> failure.set(thrown));
            thread.start();
            threads.add(thread);
        }
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
        if (failure.get() != null) {
            throw new AssertionError(failure.get());
        }
    }
}
