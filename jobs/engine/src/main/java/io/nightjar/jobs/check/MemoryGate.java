package io.nightjar.jobs.check;

/**
 * Lends memory to concurrent searches, so that together they hold no more than the total. The limit of a search is
 * fixed beforehand and does not depend on other searches; only its start time does.
 */
final class MemoryGate {

    private final long capacity;
    private long free; // guarded by this

    MemoryGate(long capacity) {
        this.capacity = capacity;
        this.free = capacity;
    }

    /** Waits until the given amount is free, or all of it if that is less; returns the amount acquired. */
    synchronized long enter(long bytes) {
        long taken = Math.max(0, Math.min(bytes, capacity));
        boolean isInterrupted = false;
        while (taken > free) {
            try {
                wait();
            } catch (InterruptedException interrupted) {
                isInterrupted = true; // a search that holds memory releases it soon
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
        free -= taken;
        return taken;
    }

    synchronized void leave(long taken) {
        free += taken;
        notifyAll();
    }
}
