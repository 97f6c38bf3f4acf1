package io.nightjar.pipeline.check;

import org.jspecify.annotations.Nullable;

/**
 * How long a search may go on, and how much it may hold at once. Time is asked in the innermost loops, every few hundred
 * steps, and any thread may end it early; memory is asked before anything large is allocated.
 */
public final class Budget {

    /** What a search may hold where nothing else is said. */
    private static final long DEFAULT_MEMORY_BYTES = 256L << 20;

    private final @Nullable Budget whole;
    private final long deadlineNs;
    private final long memoryBytes;
    private volatile boolean isCancelled;

    private Budget(@Nullable Budget whole, long deadlineNs, long memoryBytes) {
        this.whole = whole;
        this.deadlineNs = deadlineNs;
        this.memoryBytes = memoryBytes;
    }

    public static Budget ofNanos(long nanos) {
        return new Budget(null, after(nanos), DEFAULT_MEMORY_BYTES);
    }

    public static Budget unlimited() {
        return ofNanos(Long.MAX_VALUE / 4);
    }

    /** A budget that ends after so long, with this one, or when it is cancelled alone. */
    public Budget part(long nanos) {
        return new Budget(this, after(nanos), memoryBytes);
    }

    /** Returns a budget that ends with this one and allows so much memory. */
    public Budget withMemoryBytes(long bytes) {
        return new Budget(this, deadlineNs, bytes);
    }

    public boolean isSpent() {
        return isCancelled || System.nanoTime() - deadlineNs >= 0 || whole != null && whole.isSpent();
    }

    /** What may be held at once. It never depends on how many searches run beside this one. */
    public long memoryBytes() {
        return memoryBytes;
    }

    /** Ends it, and every part of it. */
    public void cancel() {
        isCancelled = true;
    }

    private static long after(long nanos) {
        return System.nanoTime() + Math.min(nanos, Long.MAX_VALUE / 4);
    }
}
