package io.nightjar.jobs.watch;

import io.nightjar.formats.history.HistorySlice;

/**
 * Transactions that arrived together, as one slice.
 *
 * @param arrivedMicros when, since 1970
 * @param feed who brought them
 * @param position where the feed goes on behind them: bytes of a file, or lines
 */
record Arrival(HistorySlice slice, long arrivedMicros, RowFeed feed, FeedPosition position) {}
