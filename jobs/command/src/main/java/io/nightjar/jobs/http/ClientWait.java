package io.nightjar.jobs.http;

import java.util.concurrent.TimeUnit;

/** Time for which a single request waits for its client: for its head, its body, or the acceptance of its response. */
final class ClientWait {

    private static final long HEAD_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Thread thread; // runs the request
    private long since; // nanoTime when the present wait began
    private long limit = HEAD_NANOS; // limit of the present wait
    private long earlier; // nanoseconds of all waits before
    private boolean isWaiting = true;
    private boolean isClosed;

    /** Starts to wait for the head of a request. */
    ClientWait(Thread thread, long now) {
        this.thread = thread;
        this.since = now;
    }

    synchronized void begin() {
        limit = IDLE_NANOS;
        since = System.nanoTime();
        isWaiting = true;
    }

    /** Ends a wait. If the connection was closed during the wait, its next use fails; the thread can continue. */
    synchronized void end() {
        if (isWaiting) {
            earlier += System.nanoTime() - since;
            isWaiting = false;
        }
        if (isClosed) {
            Thread.interrupted();
        }
    }

    synchronized boolean isOverdue(long now) {
        return isWaiting && !isClosed && now - since > limit;
    }

    /** Returns the nanoseconds of all waits if the request is waiting, else -1. */
    synchronized long total(long now) {
        return isWaiting && !isClosed ? earlier + now - since : -1;
    }

    /**
     * Closes the connection if the request is still waiting: an interrupt closes the channel that its thread is blocked
     * on.
     */
    synchronized void close() {
        if (isWaiting && !isClosed) {
            isClosed = true;
            thread.interrupt();
        }
    }
}
