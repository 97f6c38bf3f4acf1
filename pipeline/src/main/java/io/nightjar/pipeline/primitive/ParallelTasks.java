package io.nightjar.pipeline.primitive;

import java.util.function.IntConsumer;
import java.util.function.Supplier;

/** Has numbered pieces of work done: by the thread that asks, or by several side by side. What comes out must not depend on which. */
public interface ParallelTasks {

    /** Everything is done by the thread that asks, in one piece. */
    ParallelTasks NONE = new ParallelTasks() {
        @Override
        public int count() {
            return 1;
        }

        @Override
        public void run(int most, int pieces, Supplier<IntConsumer> newWorker) {
            IntConsumer worker = newWorker.get();
            for (int piece = 0; piece < pieces; piece++) {
                worker.accept(piece);
            }
        }
    };

    /**
     * How many pieces each thread gets: some take longer than others, and all threads should end at about the same
     * time.
     */
    int PIECES_EACH = 4;

    /** With fewer steps than this, more threads cost more than is gained. */
    int FEW_STEPS = 1 << 21;

    /** How many threads there are, the one that asks among them. */
    int count();

    /** Returns into how many pieces work of the given number of steps is worth dividing. */
    default int pieces(long steps) {
        return count() == 1 || steps < FEW_STEPS ? 1 : PIECES_EACH * count();
    }

    /**
     * Does each piece once, in any order; returns when all are done, and throws what one of them threw.
     *
     * @param most threads at once
     * @param newWorker makes what does one piece after the other on one thread, and so may have scratch of its own
     */
    void run(int most, int pieces, Supplier<IntConsumer> newWorker);

    /** The ends of pieces of about as many entries each: piece {@code i} goes from entry {@code i} to before entry {@code i + 1}. */
    static int[] bounds(int pieces, int count) {
        int[] bounds = new int[pieces + 1];
        for (int piece = 1; piece <= pieces; piece++) {
            bounds[piece] = (int) ((long) count * piece / pieces);
        }
        return bounds;
    }

    /** The ends of pieces of about as many steps each: piece {@code i} goes from entry {@code i} to before entry {@code i + 1}. */
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
