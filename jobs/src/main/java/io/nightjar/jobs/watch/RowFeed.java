package io.nightjar.jobs.watch;

import java.io.IOException;

/** Brings rows of one source, on a thread of its own. */
interface RowFeed {

    /** What the source is called. */
    String name();

    /** Reads until the source ends, the inbox is closed, or the thread is interrupted. */
    void run(Inbox inbox) throws IOException, InterruptedException;

    /** Whether it can go on where it was when it was stopped. */
    default boolean isResumable() {
        return false;
    }

    /** Stops listening, where the feed does. */
    default void close() {}
}
