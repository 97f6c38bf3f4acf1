package io.nightjar.jobs.read;

import io.nightjar.formats.history.HistorySlice;
import java.io.IOException;

/**
 * What is done in one pass over a source: threads read splits and work on slices, each by itself; what they make of them is
 * taken in the order of the rows.
 *
 * @param <R> what the work makes of a slice
 */
public interface ScanPass<R> {

    /** Returns the work of one more thread. */
    Work<R> newWork();

    /** Takes what was made of the next slice, on the thread that called for the pass. */
    void take(R result) throws IOException;

    /** Whether the rest need not be read, nor taken; asked by any thread. */
    default boolean isOver() {
        return false;
    }

    /** What one thread does with one slice after another. */
    @FunctionalInterface
    interface Work<R> {
        R on(HistorySlice slice) throws IOException;
    }

    /** Takes the slices as they are. */
    @FunctionalInterface
    interface OfSlices extends ScanPass<HistorySlice> {

        @Override
        default Work<HistorySlice> newWork() {
            return slice -> slice;
        }
    }
}
