package io.nightjar.jobs.watch;

import it.unimi.dsi.fastutil.longs.Long2LongMap;
import java.io.IOException;
import java.util.Map;

/** Brings rows of one source, on a thread of its own. */
interface RowFeed {

    /** Returns what the source is called. */
    String name();

    /** Reads until the source ends, the inbox is closed, or the thread is interrupted. */
    void run(ArrivalSink inbox) throws IOException, InterruptedException;

    /**
     * Whether it tells the inbox when it has caught up with what was there as it began, which takes it a while. Others have
     * from the beginning.
     */
    default boolean tellsCaughtUp() {
        return false;
    }

    /** Whether it can go on where it was when it was stopped. */
    default boolean isResumable() {
        return false;
    }

    /** Asks the feed to tell its sender which rows will survive a kill; called before it runs. */
    default void reportDurable() {}

    /**
     * All that was taken will be there after a kill.
     *
     * @param taken by connection or request; what is settled is removed
     */
    default void durable(Map<String, ConsumedCount> taken) {}

    /** Whether it may give rows their positions in their sessions. */
    default boolean isCounting() {
        return false;
    }

    /** Sets where each session was when a watch goes on; called before it runs. */
    default void continueFrom(Long2LongMap lastOf) {}

    /** Stops listening, where the feed does. */
    default void close() {}
}
