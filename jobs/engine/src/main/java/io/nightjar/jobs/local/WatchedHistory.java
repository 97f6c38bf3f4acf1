package io.nightjar.jobs.local;

import io.nightjar.formats.history.HistorySource;
import io.nightjar.jobs.read.DeadLetters;
import io.nightjar.jobs.read.HistorySummary;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A history that was watched, to be concluded.
 *
 * @param letters rows that were set aside while it was watched
 * @param doubt why no level holds even if nothing rules it out, null if there is no reason beside the rows; asked once all
 *     has been read
 * @param before transactions of the source that stand for what was there before it
 * @param opsBefore how many operations those have
 * @param known what a watch found out about all rows; null if it did not
 * @param isWhole whether the rows have all that was written
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
     * Facts about a watched history that are known without reading it again.
     *
     * @param isClean whether it is certain that nothing is wrong by timestamps
     */
    public record Known(HistorySummary summary, long keyCount, boolean isClean) {}
}
