package io.nightjar.jobs.local;

import io.nightjar.formats.history.HistorySource;
import io.nightjar.jobs.read.DeadLetters;
import io.nightjar.jobs.read.HistorySummary;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A watched history, ready for the conclusion.
 *
 * @param letters rows that were skipped while it was watched
 * @param doubt the reason why no level holds even if nothing rules it out, null if the rows are the only evidence;
 *     evaluated once all has been read
 * @param before transactions of the source that represent its initial state
 * @param opsBefore number of operations of these transactions
 * @param known the summary that a watch computed of all rows; null if it did not
 * @param isWhole whether the rows contain all writes
 */
public record WatchedHistory(
        HistorySource source,
        DeadLetters letters,
        Supplier<@Nullable String> doubt,
        LongSet before,
        long opsBefore,
        @Nullable Known known,
        boolean isWhole) {

    /**
     * Facts about a watched history that are available without reading it again.
     *
     * @param isClean whether timestamps certainly show no anomaly
     */
    public record Known(HistorySummary summary, long keyCount, boolean isClean) {}
}
