package io.nightjar.jobs.watch;

import io.nightjar.formats.history.HistorySlice;

/**
 * Transactions that arrived together, as one slice.
 *
 * @param arrivedMicros time of arrival, since 1970
 * @param feed feed that delivered them
 * @param position where the feed resumes after them: bytes of a file, or lines
 */
record Arrival(HistorySlice slice, long arrivedMicros, RowFeed feed, FeedPosition position) {}
