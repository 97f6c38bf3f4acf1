package io.nightjar.api;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Records the transactions of threads; each thread is a session, and each transaction has the times of its begin and
 * end.
 */
public final class Recorder {

    private final History.Builder builder = History.builderWithTimes();
    private final AtomicLong sessions = new AtomicLong();
    private final ThreadLocal<Long> session = ThreadLocal.withInitial(sessions::incrementAndGet);

    /** Begins a transaction of the thread that calls. */
    public History.Txn begin() {
        return builder.begin(session.get());
    }

    /** Returns the transactions recorded so far. */
    public History history() {
        return builder.build();
    }
}
