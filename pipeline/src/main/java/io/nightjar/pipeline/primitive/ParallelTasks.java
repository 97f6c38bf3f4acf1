package io.nightjar.pipeline.primitive;

import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * Executor of numbered pieces of work: on the calling thread, or on several threads concurrently. Results must not
 * depend on which.
 */
public interface ParallelTasks {

    /** Runs everything on the calling thread, in one piece. */
    ParallelTasks NONE = new ParallelTasks() {
        @Override
        public int count() {
            return 1;
        }

        @Override
        public void run(int maxThreads, int pieces, Supplier<IntConsumer> newWorker) {
            IntConsumer worker = newWorker.get();
            for (int piece = 0; piece < pieces; piece++) {
                worker.accept(piece);
            }
        }
    };

    /**
     * Number of pieces per thread: some take longer than others, and all threads should finish at about the same time.
     */
    int PIECES_EACH = 4;

    /** With fewer steps than this, more threads cost more than is gained. */
    int FEW_STEPS = 1 << 21;

    /** Returns the number of threads, including the calling thread. */
    int count();

    /** Returns into how many pieces work of the given number of steps is worth dividing. */
    default int pieces(long steps) {
        return count() == 1 || steps < FEW_STEPS ? 1 : PIECES_EACH * count();
    }

    /**
     * Runs each piece once, in any order; returns when all are done, and rethrows the exception of a piece.
     *
     * @param maxThreads maximum number of threads
     * @param newWorker creates a worker that runs pieces sequentially on one thread, and may have separate scratch data
     */
    void run(int maxThreads, int pieces, Supplier<IntConsumer> newWorker);

    /**
     * Returns the bounds of pieces of about as many entries each: piece {@code i} is the half-open range from entry
     * {@code i} to entry {@code i + 1}.
     */
    static int[] bounds(int pieces, int count) {
        int[] bounds = new int[pieces + 1];
        for (int piece = 1; piece <= pieces; piece++) {
            bounds[piece] = (int) ((long) count * piece / pieces);
        }
        return bounds;
    }

    /**
     * Returns the bounds of pieces of about as many steps each: piece {@code i} is the half-open range from entry
     * {@code i} to entry {@code i + 1}.
     */
    static int[] bounds(int pieces, int count, int[] firstStepOf) {
        int[] bounds = new int[pieces + 1];
        int at = 0;
        for (int piece = 1; piece < pieces; piece++) {
            long first = firstStepOf[0] + (long) (firstStepOf[count] - firstStepOf[0]) * piece / pieces;
            while (at < count && firstStepOf[at] < first) {
                at++;
            }
            bounds[piece] = at;
        }
        bounds[pieces] = count;
        return bounds;
    }
}
