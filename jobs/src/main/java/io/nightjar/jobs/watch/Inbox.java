package io.nightjar.jobs.watch;

import io.nightjar.formats.history.BadRows;
import io.nightjar.formats.history.HistorySlice;

/** Where feeds put what has arrived. There is room for so much, and whoever brings more waits. */
interface Inbox {

    /** Waits for room. */
    void put(HistorySlice slice, RowFeed feed, FeedPosition position) throws InterruptedException;

    /** Where rows go that cannot be understood. */
    BadRows badRows();

    /** Whether nothing more is wanted. */
    boolean isClosed();

    /** The same inbox for one request, which is told what became of its rows. */
    default Counted counted() {
        return new Counted(this);
    }

    /** Counts what passes. */
    final class Counted implements Inbox {

        private final Inbox inbox;
        private long txns;
        private long letters;

        private Counted(Inbox inbox) {
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
        public BadRows badRows() {
            return (file, row, reason, rawText) -> {
                letters++;
                inbox.badRows().add(file, row, reason, rawText);
            };
        }

        @Override
        public boolean isClosed() {
            return inbox.isClosed();
        }
    }
}
