package io.nightjar.jobs.watch;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySlice;

/** Receiver of arrivals. Its capacity is limited; a feed that exceeds it waits. */
interface ArrivalSink {

    /** Adds transactions; waits while the queue is full. */
    void put(HistorySlice slice, RowFeed feed, FeedPosition position) throws InterruptedException;

    /** Returns the receiver of malformed rows. */
    BadRowHandler badRows();

    /** Returns whether feeds should stop. */
    boolean isClosed();

    /** Records that everything present when the feed began has been delivered. */
    default void recordCaughtUp() throws InterruptedException {}

    /** Returns a view for one request that counts the request's rows. */
    default Counted counted() {
        return new Counted(this);
    }

    /** A view that counts accepted transactions and malformed rows. */
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
