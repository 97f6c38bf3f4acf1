package io.nightjar.jobs.watch;

import it.unimi.dsi.fastutil.longs.Long2LongMap;
import java.io.IOException;
import java.util.Map;

/** Reader of one source of rows, run by a thread. */
interface RowFeed {

    /** Returns the name of the source. */
    String name();

    /** Reads until the source ends, the inbox is closed, or the thread is interrupted. */
    void run(ArrivalSink inbox) throws IOException, InterruptedException;

    /**
     * Returns whether the feed notifies the inbox when it has delivered everything present at its start. Other feeds
     * have
     * caught up from the start.
     */
    default boolean tellsCaughtUp() {
        return false;
    }

    /** Returns whether the feed can resume at the position where it was stopped. */
    default boolean isResumable() {
        return false;
    }

    /** Requests that the feed notify its sender which rows survive a kill; called before it runs. */
    default void reportDurable() {}

    /**
     * Notifies the feed that consumed rows survive a kill.
     *
     * @param taken by connection or request; the feed removes completed ones
     */
    default void durable(Map<String, ConsumedCount> taken) {}

    /** Returns whether the feed may assign rows their positions in their sessions. */
    default boolean isCounting() {
        return false;
    }

    /** Sets the last position of each session when a watch resumes; called before the feed runs. */
    default void continueFrom(Long2LongMap lastOf) {}

    /** Stops listening, if the feed does. */
    default void close() {}
}
