package io.nightjar.jobs.check;

/**
 * Lends memory to searches that run at once, so that together they hold no more than there is. What a search may hold is
 * settled beforehand, whatever runs beside it: only when it begins depends on the others.
 */
final class MemoryGate {

    private final long capacity;
    private long free; // guarded by this

    MemoryGate(long capacity) {
        this.capacity = capacity;
        this.free = capacity;
    }

    /** Waits until the given amount is free, or all of it if that is less; returns what was taken. */
    synchronized long enter(long bytes) {
        long taken = Math.max(0, Math.min(bytes, capacity));
        boolean isInterrupted = false;
        while (taken > free) {
            try {
                wait();
            } catch (InterruptedException interrupted) {
                isInterrupted = true; // a search that holds memory gives it back soon
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
