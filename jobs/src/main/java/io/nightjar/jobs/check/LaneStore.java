package io.nightjar.jobs.check;

import io.nightjar.pipeline.check.timestamp.Lane;
import io.nightjar.pipeline.split.LaneChunk;
import io.nightjar.pipeline.split.TransactionScan;
import java.io.Closeable;
import java.io.IOException;

/** Where lanes are kept between the pass that fills them and the check that empties them. */
sealed interface LaneStore extends Closeable permits LanesInMemory, LanesOnDisk {

    int laneCount();

    /** The filling end for one thread. */
    Filler newFiller(TransactionScan scan);

    /** Chunks that a filler gave out, in row order on one thread; returns false if the lanes no longer fit. */
    boolean accept(LaneChunk[] chunks);

    /** Everything was filled in. */
    void endOfFilling() throws IOException;

    /**
     * A lane, whole. Lanes on disk are read; the caller drops it when done.
     *
     * @param alone whether no other lane is loaded, so that this one may take what otherwise all threads share
     * @throws LaneTooLargeException if it takes more than that
     */
    Lane load(int lane, boolean alone) throws IOException;

    /** How many keys a lane has, in memory that depends on these alone. */
    long countKeys(int lane) throws IOException;

    /** The lane will not be loaded again. */
    void drop(int lane) throws IOException;

    long bytesSpilled();

    @Override
    void close() throws IOException;

    /** Takes what the scan made of a slice. */
    interface Filler {

        /** Chunks to be accepted in row order, or null if they are already where they belong. */
        LaneChunk[] fill() throws IOException;
    }
}
