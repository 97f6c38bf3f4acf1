package io.nightjar.pipeline.check;

/** How long a search may go on. Asked in the innermost loops, every few hundred steps; any thread may end it early. */
public final class Budget {

    private final Budget whole;
    private final long deadlineNs;
    private volatile boolean isCancelled;

    private Budget(Budget whole, long deadlineNs) {
        this.whole = whole;
        this.deadlineNs = deadlineNs;
    }

    public static Budget ofNanos(long nanos) {
        return new Budget(null, after(nanos));
    }

    public static Budget unlimited() {
        return ofNanos(Long.MAX_VALUE / 4);
    }

    /** A budget that ends after so long, with this one, or when it is cancelled alone. */
    public Budget part(long nanos) {
        return new Budget(this, after(nanos));
    }

    public boolean isSpent() {
        return isCancelled || System.nanoTime() - deadlineNs >= 0 || whole != null && whole.isSpent();
    }

    /** Ends it, and every part of it. */
    public void cancel() {
        isCancelled = true;
    }

    private static long after(long nanos) {
        return System.nanoTime() + Math.min(nanos, Long.MAX_VALUE / 4);
    }
}
