package io.nightjar.jobs.watch;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySlice;

/** Where feeds put what has arrived. It has limited room, and a feed that brings more waits. */
interface ArrivalSink {

    /** Waits for room. */
    void put(HistorySlice slice, RowFeed feed, FeedPosition position) throws InterruptedException;

    /** Returns the receiver of rows that cannot be understood. */
    BadRowHandler badRows();

    /** Whether nothing more is wanted. */
    boolean isClosed();

    /** Everything is here that was there when the feed began. */
    default void noteCaughtUp() throws InterruptedException {}

    /** Returns a view of this inbox for one request, which learns what became of its rows. */
    default Counted counted() {
        return new Counted(this);
    }

    /** Counts what passes. */
    final class Counted implements ArrivalSink {

        private final ArrivalSink inbox;
        private long txns;
        private long letters;

        private Counted(ArrivalSink inbox) {
            this.inbox = inbox;
        }

        long txns() {
            return txns;
        }

        long letters() {
            return letters;
        }

        @Override
        public void put(HistorySlice slice, RowFeed feed, FeedPosition position) throws InterruptedException {
            inbox.put(slice, feed, position);
            txns += slice.txnCount;
        }

        @Override
        public BadRowHandler badRows() {
            return (file, row, fault, rawText) -> {
                letters++;
                inbox.badRows().add(file, row, fault, rawText);
            };
        }

        @Override
        public boolean isClosed() {
            return inbox.isClosed();
        }
    }
}
