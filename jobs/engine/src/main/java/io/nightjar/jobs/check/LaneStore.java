package io.nightjar.jobs.check;

import io.nightjar.pipeline.check.timestamp.LaneSize.PlannedRange;
import io.nightjar.pipeline.partition.TransactionScan;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/** Storage of lanes between the pass that fills them and the check that empties them. */
sealed interface LaneStore extends Closeable permits LanesInMemory, LanesOnDisk {

    int laneCount();

    /** Creates a filler for one thread. */
    Filler newFiller(TransactionScan scan);

    /** Ends the filling: no operation will be added any more. */
    void endOfFilling() throws IOException;

    /**
     * Works on a lane while other threads work on others: on the whole lane, or range by range.
     *
     * @return keys that alone take more than a thread's share of the memory, as separate ranges
     */
    List<PlannedRange> forEachRange(int lane, SpilledLane.Work work) throws IOException;

    /**
     * Works on keys of a lane while nothing else is loaded, so that each may use the memory that otherwise all threads
     * share.
     *
     * @return the number of keys that take more than that
     */
    long forEachKey(int lane, List<PlannedRange> keys, SpilledLane.Work work) throws IOException;

    /** Returns the number of keys of a lane, in memory that depends on these alone. */
    long countKeys(int lane) throws IOException;

    /** Discards a lane that will not be worked on again. */
    void drop(int lane) throws IOException;

    long bytesSpilled();

    @Override
    void close() throws IOException;

    /** Adds the scan of a slice to the lanes; slices may arrive in any order. */
    interface Filler {

        /** Returns false if the lanes no longer fit. */
        boolean fill() throws IOException;
    }
}
