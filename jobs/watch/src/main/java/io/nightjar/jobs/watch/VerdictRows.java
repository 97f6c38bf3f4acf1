package io.nightjar.jobs.watch;

import io.nightjar.formats.history.HistorySource;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The kept rows that determine the verdict of a watch.
 *
 * @param doubt why no level holds, once the rows have been read; null if all of them are checked
 */
record VerdictRows(HistorySource rows, Supplier<@Nullable String> doubt) {

    static VerdictRows allOf(HistorySource kept) {
        return new VerdictRows(kept, () -> null);
    }

    /** Returns the rows of a watch in which nothing arrived, so that no level is decided. */
    static VerdictRows ofNothing(HistorySource kept) {
        return new VerdictRows(kept, () -> WatchStatus.NOTHING_YET);
    }

    /** @param why the reason to omit later rows */
    static VerdictRows upTo(long watermark, HistorySource kept, String why) {
        FilteredSource sealed = new FilteredSource(kept, FilteredSource.RowChoice.committedUpTo(watermark));
        return new VerdictRows(sealed, () -> doubtOfCut(why, sealed.leftOut()));
    }

    /** Returns why no level holds if rows were omitted. */
    static String doubtOfCut(String why, long leftOut) {
        return why + ": transactionsLeftOut=" + leftOut + "; only sealed transactions were checked";
    }
}
