package io.nightjar.jobs.read;

import io.nightjar.formats.history.HistorySlice;
import java.io.IOException;

/**
 * One pass of a source: threads read splits and work on slices, each independently; the results are taken in the order
 * of the rows.
 *
 * @param <R> the result of the work on a slice
 */
public interface ScanPass<R> {

    /** Returns the work of one more thread. */
    Work<R> newWork();

    /** Takes the result of the next slice, on the thread that called for the pass. */
    void take(R result) throws IOException;

    /** Returns whether the rest need not be read or consumed; called by any thread. */
    default boolean isOver() {
        return false;
    }

    /** The work of a single thread on one slice after another. */
    @FunctionalInterface
    interface Work<R> {
        R on(HistorySlice slice) throws IOException;
    }

    /** Consumes the slices unchanged. */
    @FunctionalInterface
    interface OfSlices extends ScanPass<HistorySlice> {

        @Override
        default Work<HistorySlice> newWork() {
            return slice -> slice;
        }
    }
}
