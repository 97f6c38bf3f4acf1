package io.nightjar.api;

import java.util.concurrent.atomic.AtomicLong;

/** Takes down what threads do; each thread is a session, and each transaction knows when it began and ended. */
public final class Recorder {

    private final History.Builder builder = History.builderWithTimes();
    private final AtomicLong sessions = new AtomicLong();
    private final ThreadLocal<Long> session = ThreadLocal.withInitial(sessions::incrementAndGet);

    /** Begins a transaction of the thread that calls. */
    public History.Txn begin() {
        return builder.begin(session.get());
    }

    /** Returns what was taken down so far. */
    public History history() {
        return builder.build();
    }
}
