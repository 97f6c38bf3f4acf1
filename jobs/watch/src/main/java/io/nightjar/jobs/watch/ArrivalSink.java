package io.nightjar.jobs.watch;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.HistorySlice;
import org.jspecify.annotations.Nullable;

/** Receiver of the arrivals of one feed. Its capacity is limited; a feed that exceeds it waits. */
interface ArrivalSink {

    /**
     * Adds transactions, with the malformed rows since the last call; waits while the queue is full.
     *
     * @param slice null for malformed rows alone
     */
    void put(@Nullable HistorySlice slice, FeedPosition position) throws InterruptedException;

    /** Returns the receiver of malformed rows. */
    BadRowHandler badRows();

    /** Returns whether the feed should stop. */
    boolean isClosed();

    /** A view that counts accepted transactions and malformed rows. */
    final class Counted implements ArrivalSink {

        private final ArrivalSink inbox;
        private long txns;
        private long letters;

        Counted(ArrivalSink inbox) {
            this.inbox = inbox;
        }

        long txns() {
            return txns;
        }

        long letters() {
            return letters;
        }

        @Override
        public void put(@Nullable HistorySlice slice, FeedPosition position) throws InterruptedException {
            inbox.put(slice, position);
            txns += slice == null ? 0 : slice.txnCount;
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
