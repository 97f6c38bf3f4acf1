package io.nightjar.jobs.watch;

import io.nightjar.formats.history.HistorySource;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The kept rows that the verdict of a watch is of.
 *
 * @param doubt why no level holds, once the rows have been read; null if all of them are judged
 */
record VerdictRows(HistorySource rows, Supplier<@Nullable String> doubt) {

    static VerdictRows allOf(HistorySource kept) {
        return new VerdictRows(kept, () -> null);
    }

    /** Returns the rows of a watch in which nothing arrived, so that no level is decided. */
    static VerdictRows ofNothing(HistorySource kept) {
        return new VerdictRows(kept, () -> WatchStatus.NOTHING_YET);
    }

    /** @param why not all of them */
    static VerdictRows upTo(long watermark, HistorySource kept, String why) {
        FilteredSource sealed = new FilteredSource(kept, FilteredSource.RowChoice.committedUpTo(watermark));
        return new VerdictRows(sealed, () -> doubtOfCut(why, sealed.leftOut()));
    }

    /** Returns why no level holds where something was left out. */
    static String doubtOfCut(String why, long leftOut) {
        return why + ": transactionsLeftOut=" + leftOut + "; what is sealed was judged";
    }
}
