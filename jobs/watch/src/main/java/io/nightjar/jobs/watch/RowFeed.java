package io.nightjar.jobs.watch;

import java.io.IOException;

/** Reader of one source of rows, run by a thread. */
interface RowFeed {

    /** Returns the name of the source. */
    String name();

    /** Reads until the source ends, the inbox is closed, or the thread is interrupted. */
    void run(ArrivalSink inbox) throws IOException, InterruptedException;

    /** Returns whether the feed can resume at the position where it was stopped. */
    default boolean isResumable() {
        return false;
    }

    /** Stops listening, if the feed does. */
    default void close() {}
}
