package io.nightjar.jobs.watch;

import io.nightjar.formats.history.HistorySlice;
import io.nightjar.jobs.read.DeadLetters.DeadLetter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Transactions that arrived together, as one slice.
 *
 * @param slice null if only malformed rows arrived
 * @param arrivedMicros time of arrival, since 1970
 * @param position where the feed resumes after them; null if it cannot
 * @param letters malformed rows since the feed's previous arrival
 */
record Arrival(
        @Nullable HistorySlice slice, long arrivedMicros, @Nullable FeedPosition position, List<DeadLetter> letters) {}
